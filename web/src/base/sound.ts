// SPDX-License-Identifier: MIT
// A stone on wood, made of a short burst of filtered noise: no file to load.

import { sound } from "./prefs";

let context: AudioContext | null = null;

export function click(): void {
  if (!sound.value || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const length = Math.floor(context.sampleRate * 0.05);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (length / 9));
    const source = context.createBufferSource();
    source.buffer = buffer;
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = 1500;
    filter.Q.value = 1.4;
    const volume = context.createGain();
    volume.gain.value = 0.35;
    source.connect(filter).connect(volume).connect(context.destination);
    source.start();
  } catch {
    // A device without sound plays on in silence.
  }
}
