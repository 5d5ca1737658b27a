import type { TemplateResult } from 'lit';
import type { ViewId } from '../../src/protocol/requests';
import type { Inspection } from '../inspection';

/** One tab of the inspector. */
export interface View {
  readonly id: ViewId;
  readonly title: string;
  render(inspection: Inspection): TemplateResult;
}
