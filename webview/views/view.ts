import type { nothing, TemplateResult } from 'lit';
import type { ViewId } from '../../src/protocol/requests';
import type { Inspection } from '../inspection/inspection';

/** One tab of the inspector. */
export interface View {
  readonly id: ViewId;
  readonly title: string;
  /** What stands beside the title. */
  badge?(inspection: Inspection): TemplateResult | typeof nothing;
  /** Renders one element, a `ViewElement`. */
  render(inspection: Inspection): TemplateResult;
}

/** What a view renders. `focus` gives the keyboard to what the view is about. */
export interface ViewElement extends HTMLElement {
  /** Gives the keyboard to the field that filters or searches what is shown. */
  focusFilter?(): void;
}
