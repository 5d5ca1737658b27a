import type { PlanRequests, TrustedEditRequests } from '../protocol/edit-requests';
import { remember } from '../session/differences';
import type { ImageSession } from '../session/image-session';
import type { EditReport } from '../session/operations';
import type { Engine } from './serve';

/** As many extents as a screen can show; a plan may have as many as there are free units. */
const shownExtents = 1000;

/** The engine's answers about changes. */
export function editAnswers(
  session: () => ImageSession,
): Pick<Engine, keyof PlanRequests | keyof TrustedEditRequests> {
  const edits = () => session().edits;
  return {
    plan: (operation, progress) => forScreen(edits().plan(operation, progress)),
    editState: () => edits().state,
    edit: (operation, progress) => forScreen(edits().edit(operation, progress)),
    undo: (edit) => edits().undo(edit),
    redo: (edit) => edits().redo(edit),
    revert: () => edits().revert(),
    save: (options, progress) => edits().save(options, progress),
    saveAs: (target, progress) => edits().saveAs(target, progress),
    backUp: (target) => edits().backUp(target),
    restore: (source) => edits().restore(source),
    wholeImage: () => edits().wholeImage(),
    remember: (before, progress) => remember(session(), before, progress),
  };
}

/** A report with no more of its extents than are shown. */
function forScreen<Report extends EditReport>(report: Report): Report {
  const { allocation } = report;
  if (!allocation || allocation.extentCount <= shownExtents) return report;
  const extents = allocation.extents.slice(0, shownExtents);
  return { ...report, allocation: { ...allocation, extents } };
}
