// SPDX-License-Identifier: MIT
// The few controls that all views share.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { dialogs, Notes } from "./announce";
import { once } from "./guarded";
import { Icon, type IconName } from "./icon";

interface ButtonProps {
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
  readonly label?: string;
  readonly kind?: "primary" | "quiet" | "danger";
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly submit?: boolean;
  readonly first?: boolean;
  readonly testid?: string;
  /** Where it returns a promise, further presses wait until that is kept. */
  readonly onClick?: () => unknown;
}

/** The act of the newest drawing, done once at a time. */
export function useOnce(act: (() => unknown) | undefined): () => void {
  const latest = useRef(act);
  latest.current = act;
  return useMemo(() => once(() => latest.current?.()), []);
}

/** A button that is switched off while it has the focus keeps it until it is left: the keyboard does
 * not fall back to the beginning of the page. */
export function Button(p: ButtonProps) {
  const self = useRef<HTMLButtonElement>(null);
  const [, left] = useState(0);
  const off = p.disabled ?? false;
  const held = off && self.current !== null && self.current === document.activeElement;
  const press = useOnce(p.onClick);
  return (
    <button
      ref={self}
      type={p.submit ? "submit" : "button"}
      class={`button ${p.kind ?? ""}${p.children ? "" : " only-icon"}`}
      disabled={off && !held}
      aria-disabled={held || undefined}
      onBlur={() => held && left((n) => n + 1)}
      aria-label={p.label}
      title={p.label}
      aria-pressed={p.pressed}
      autofocus={p.first ?? false}
      data-testid={p.testid}
      onClick={(e) => (held ? e.preventDefault() : press())}
    >
      {p.icon && <Icon name={p.icon} />}
      {p.children && <span>{p.children}</span>}
    </button>
  );
}

/** Deletes on the second press: the first one asks. */
export function DeleteButton(p: { readonly testid?: string; readonly onDelete: () => unknown }) {
  const [sure, setSure] = useState(false);
  useEffect(() => {
    if (!sure) return;
    const timer = setTimeout(() => setSure(false), 4000);
    return () => clearTimeout(timer);
  }, [sure]);
  const press = (): unknown => {
    setSure(!sure);
    return sure ? p.onDelete() : undefined;
  };
  return (
    <Button icon="trash" kind="danger" pressed={sure} {...(p.testid ? { testid: p.testid } : {})} onClick={press}>
      {t(sure ? "ui.sure" : "library.delete")}
    </Button>
  );
}

interface Choice<T> {
  readonly value: T;
  readonly text: string;
  readonly title?: string;
}

interface ChoiceProps<T> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  readonly testid?: string;
}

/** One of a few, all in sight. */
export function Segments<T extends string | number>(p: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="segments" data-testid={p.testid}>
      <legend>{p.label}</legend>
      <div>
        {p.choices.map((c) => (
          <label key={c.value} title={c.title} class={c.value === p.value ? "on" : ""}>
            <input
              type="radio"
              name={name}
              value={c.value}
              checked={c.value === p.value}
              onChange={() => p.onChange(c.value)}
            />
            <span>{c.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** One of many. */
export function Select<T extends string>(p: ChoiceProps<T>) {
  return (
    <label class="field">
      <span>{p.label}</span>
      <select value={p.value} data-testid={p.testid} onChange={(e) => p.onChange(e.currentTarget.value as T)}>
        {p.choices.map((c) => (
          <option key={c.value} value={c.value} selected={c.value === p.value}>
            {c.text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number | "any";
  readonly unit?: string;
  readonly testid?: string;
  readonly onChange: (value: number) => void;
}

/** What is typed stays in a field until it is committed, however often the page is drawn meanwhile;
 * and after that until the value changes, so what is refused can be mended. A field that goes away, or
 * its page, commits first. */
function useDraft(value: string, commit: (text: string) => string | null) {
  const [draft, setDraft] = useState<string | null>(null);
  /** Not committed yet. */
  const typed = useRef<string | null>(null);
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => {
    if (typed.current === null) setDraft(null);
  }, [value]);
  useEffect(() => {
    // A reload tells a field that has the focus nothing of a change.
    const leave = (): void => {
      const text = typed.current;
      typed.current = null;
      if (text !== null) setDraft(latest.current(text));
    };
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return {
    value: draft ?? value,
    onInput: (e: { readonly currentTarget: { readonly value: string } }): void => {
      typed.current = e.currentTarget.value;
      setDraft(e.currentTarget.value);
    },
    onChange: (e: { readonly currentTarget: { readonly value: string } }): void => {
      typed.current = null;
      setDraft(commit(e.currentTarget.value));
    },
    onBlur: (): void => {
      if (typed.current !== null) setDraft(null);
      typed.current = null;
    },
  };
}

export function NumberField(p: NumberProps) {
  const draft = useDraft(String(p.value), (text) => {
    const n = Number(text);
    if (Number.isFinite(n)) p.onChange(Math.min(p.max, Math.max(p.min, n)));
    return null;
  });
  return (
    <label class="field">
      <span>{p.label}</span>
      <span class="with-unit">
        <input
          type="number"
          inputMode="decimal"
          min={p.min}
          max={p.max}
          step={p.step ?? 1}
          data-testid={p.testid}
          {...draft}
        />
        {p.unit && <span class="unit">{p.unit}</span>}
      </span>
    </label>
  );
}

export function Slider(p: NumberProps & { readonly text: string }) {
  return (
    <label class="field slider">
      <span>
        {p.label} <output>{p.text}</output>
      </span>
      <input
        type="range"
        value={p.value}
        min={p.min}
        max={p.max}
        step={p.step ?? 1}
        data-testid={p.testid}
        aria-valuetext={p.text}
        onInput={(e) => p.onChange(Number(e.currentTarget.value))}
      />
    </label>
  );
}

export function TextField(p: {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly lines?: number;
  readonly testid?: string;
  readonly onChange: (value: string) => void;
}) {
  const draft = useDraft(p.value, (text) => {
    p.onChange(text);
    return text;
  });
  return (
    <label class="field">
      <span>{p.label}</span>
      {p.lines ? (
        <textarea rows={p.lines} style={{ "--lines": String(p.lines) }} placeholder={p.placeholder} data-testid={p.testid} {...draft} />
      ) : (
        <input type="text" placeholder={p.placeholder} data-testid={p.testid} autocomplete="off" spellcheck={false} {...draft} />
      )}
    </label>
  );
}

export function Check(p: { readonly label: string; readonly value: boolean; readonly testid?: string; readonly onChange: (value: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={p.value} data-testid={p.testid} onChange={(e) => p.onChange(e.currentTarget.checked)} />
      <span>{p.label}</span>
    </label>
  );
}

/** A window over the page; the browser keeps the focus in it and closes it on Escape. */
export function Dialog(p: {
  readonly title: string;
  readonly open: boolean;
  readonly wide?: boolean;
  readonly onKeyDown?: (e: KeyboardEvent) => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  // A selection that is dragged out of the window, or into it, is no press beside it.
  const beside = useRef(false);
  // With the drawing itself: the keys of the page work again as soon as the dialog is gone.
  useLayoutEffect(() => {
    if (!p.open) return;
    const d = dialog.current;
    if (d && !d.open) {
      d.showModal();
      // The button that has the focus is in sight below; what comes before it is read first.
      d.scrollTop = 0;
    }
    dialogs.value++;
    return () => void dialogs.value--;
  }, [p.open]);
  if (!p.open) return null;
  // However it is closed, the browser gives the focus back to where it was.
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class={p.wide ? "wide" : ""}
      aria-labelledby={title}
      onKeyDown={p.onKeyDown}
      onClose={p.onClose}
      onPointerDown={(e) => (beside.current = e.target === dialog.current)}
      onPointerUp={(e) => (beside.current &&= e.target === dialog.current)}
      onClick={(e) => e.target === dialog.current && beside.current && close()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={title}>{p.title}</h2>
          <Button icon="close" kind="quiet" label={t("ui.close")} onClick={close} />
        </header>
        {p.children}
      </div>
      <Notes />
    </dialog>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
