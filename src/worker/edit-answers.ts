import type { PlanRequests, TrustedEditRequests } from '../protocol/edit-requests';
import { differences, remember } from '../session/differences';
import type { ImageSession } from '../session/image-session';
import type { Engine } from './serve';

/** The engine's answers about changes. */
export function editAnswers(
  session: () => ImageSession,
): Pick<Engine, keyof PlanRequests | keyof TrustedEditRequests> {
  const edits = () => session().edits;
  return {
    plan: (operation, progress) => edits().plan(operation, progress),
    editState: () => edits().state,
    edit: (operation, progress) => edits().edit(operation, progress),
    undo: (edit) => edits().undo(edit),
    redo: (edit) => edits().redo(edit),
    revert: () => edits().revert(),
    save: (options, progress) => edits().save(options, progress),
    saveAs: (target, progress) => edits().saveAs(target, progress),
    backUp: (target) => edits().backUp(target),
    restore: (source) => edits().restore(source),
    wholeImage: () => edits().wholeImage(),
    remember: (progress) => remember(session(), progress),
    differences: (remembered, progress) => differences(session(), remembered, progress),
  };
}
