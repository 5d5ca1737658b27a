import type { ViewState } from './state';

/** Where the state is kept: VS Code's `getState` and `setState`. */
export interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

/** State is saved at most this often; VS Code ends a hidden webview without notice. */
const saveAfter = 50;

/** Saves the newest state, but not each of many. */
export class StateKeeper {
  private unsaved: ViewState | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: StateStore) {}

  /** At once where it has been quiet: a webview that is hidden now would never come to it. */
  save(state: ViewState): void {
    if (this.timer !== undefined) {
      this.unsaved = state;
      return;
    }
    this.store.setState(state);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const { unsaved } = this;
      this.unsaved = null;
      if (unsaved) this.save(unsaved);
    }, saveAfter);
  }
}
