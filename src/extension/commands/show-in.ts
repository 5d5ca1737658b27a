import type { ViewId } from '../../protocol/requests';
import { isEntryContext } from '../guards/webview-requests';
import type { InspectorAction } from './inspector-command';

/** Shows in a view the entry that a context menu names, or else what is chosen. */
export function showIn(view: ViewId): InspectorAction {
  return async (inspector, _target, argument) => {
    inspector.showIn(view, isEntryContext(argument) ? argument : null);
  };
}
