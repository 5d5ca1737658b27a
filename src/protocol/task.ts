/**
 * Names a long request, so that its progress can be told and it can be cancelled. Chosen by the
 * caller, counted up from 1; 0 asks for neither.
 */
export type TaskId = number;
