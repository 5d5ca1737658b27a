import type { TemplateResult } from 'lit';
import type { Inspection } from '../inspection';

/** One tab of the inspector. */
export interface View {
  /** Names it in the saved state. */
  readonly id: string;
  readonly title: string;
  render(inspection: Inspection): TemplateResult;
}
