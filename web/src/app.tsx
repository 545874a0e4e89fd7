// SPDX-License-Identifier: MIT
// The frame around all views: name, tabs, language, theme, help.

import { useEffect, useRef, useState } from "preact/hooks";
import { confirmTouch, coordinates, isDark, numbers, showBranches, showForbidden, sound, theme } from "./base/prefs";
import { address, go, route, views, type ViewName } from "./base/router";
import { Analyse } from "./analyse/analyse";
import { Arena } from "./arena/arena";
import { language, languages, t, type Language } from "./i18n";
import { Learning } from "./learning/learning";
import { Library } from "./library/library";
import { linkState, hello } from "./net/link";
import { game } from "./play/model";
import { Play } from "./play/play";
import { Problems } from "./problems/problems";
import { Review } from "./review/review";
import { announce, Announcer } from "./ui/announce";
import { Button, Check, Dialog, Segments } from "./ui/controls";
import { Icon, Kanji } from "./ui/icon";
import { active, useKeys } from "./ui/keys";

const pages: Readonly<Record<ViewName, () => preact.JSX.Element>> = {
  play: Play,
  analyse: Analyse,
  review: Review,
  library: Library,
  problems: Problems,
  arena: Arena,
  learning: Learning,
};

function Tabs() {
  return (
    <nav class="tabs" aria-label={t("app.views")}>
      {views.map((v) => (
        <a key={v} href={address(v)} class={v === route.value.view ? "on" : ""} aria-current={v === route.value.view ? "page" : undefined}>
          <Icon name={v} />
          <span>{t(`view.${v}`)}</span>
        </a>
      ))}
    </nav>
  );
}

function Settings({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title={t("settings.title")} open={open} onClose={onClose}>
      <Segments<Language>
        label={t("settings.language")}
        testid="language"
        value={language.value}
        choices={Object.entries(languages).map(([value, text]) => ({ value: value as Language, text }))}
        onChange={(l) => (language.value = l)}
      />
      <Segments
        label={t("settings.theme")}
        testid="theme"
        value={theme.value}
        choices={[
          { value: "auto", text: t("settings.auto") },
          { value: "light", text: t("settings.light") },
          { value: "dark", text: t("settings.dark") },
        ]}
        onChange={(v) => (theme.value = v)}
      />
      <Check label={t("settings.coordinates")} value={coordinates.value} onChange={(v) => (coordinates.value = v)} />
      <Check label={t("settings.numbers")} testid="numbers" value={numbers.value} onChange={(v) => (numbers.value = v)} />
      <Check label={t("settings.forbidden")} value={showForbidden.value} onChange={(v) => (showForbidden.value = v)} />
      <Check label={t("settings.branches")} testid="branches" value={showBranches.value} onChange={(v) => (showBranches.value = v)} />
      <Check label={t("settings.confirm")} value={confirmTouch.value} onChange={(v) => (confirmTouch.value = v)} />
      <Check label={t("settings.sound")} value={sound.value} onChange={(v) => (sound.value = v)} />
      <p class="about">goren {hello.value?.version ?? ""}</p>
    </Dialog>
  );
}

function Help({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title={t("help.title")} open={open} onClose={onClose}>
      <p>{t("help.game", { n: game.value?.rules.win ?? 5 })}</p>
      <p>{t("help.board")}</p>
      <h3 class="with-keyboard">{t("help.keys")}</h3>
      <dl class="keys with-keyboard">
        {[
          { key: "← ↑ → ↓", what: t("help.arrows") },
          { key: "Enter", what: t("help.enter") },
          { key: "+ −", what: t("help.zoom") },
          ...active.value.flat().map((s) => ({ ...s, key: s.key.replace("ArrowLeft", "←").replace("ArrowRight", "→") })),
        ].map((s) => (
          <div key={s.key}>
            <dt>
              <kbd>{s.key}</kbd>
            </dt>
            <dd>{s.what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

export function App() {
  const [dialog, setDialog] = useState<"help" | "settings" | null>(null);
  const close = (): void => setDialog(null);
  useKeys([
    { key: "?", what: t("help.title"), act: () => setDialog("help") },
    { key: ",", what: t("settings.title"), act: () => setDialog("settings") },
    ...views.map((v, i) => ({ key: String(i + 1), what: t(`view.${v}`), act: () => go(v) })),
  ]);
  const name = t(`view.${route.value.view}`);
  useEffect(() => void (document.title = `${name} · goren 五連`), [name]);
  const came = useRef(false);
  useEffect(() => {
    // Who does not see the page hears where a key or a step back has led; who sees it sees its beginning.
    if (came.current) {
      announce(name);
      scrollTo({ top: 0 });
    }
    came.current = true;
  }, [route.value.view]);
  const View = pages[route.value.view];
  const dark = isDark();
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => {
        e.preventDefault();
        document.querySelector<HTMLElement>("main [tabindex], main button, main a")?.focus();
      }}>
        {t("app.skip")}
      </a>
      <header class="top">
        <a class="name" href={address("play")}>
          <span class="mark" aria-hidden="true" />
          goren <Kanji />
        </a>
        <Tabs />
        <div class="tools">
          <span class={`link ${linkState.value}`} role="img" aria-label={t(`link.${linkState.value}`)} title={t(`link.${linkState.value}`)} data-testid="link" data-state={linkState.value} />
          <Button icon={dark ? "sun" : "moon"} kind="quiet" label={t(dark ? "settings.light" : "settings.dark")} onClick={() => (theme.value = dark ? "light" : "dark")} />
          <Button icon="settings" kind="quiet" label={t("settings.title")} testid="settings" onClick={() => setDialog("settings")} />
          <Button icon="help" kind="quiet" label={t("help.title")} testid="help" onClick={() => setDialog("help")} />
        </div>
      </header>
      <main id="main">
        <h1 class="unseen">{name}</h1>
        <View />
      </main>
      <Announcer />
      <Settings open={dialog === "settings"} onClose={close} />
      <Help open={dialog === "help"} onClose={close} />
    </>
  );
}
