import type { LayoutRequests } from '../protocol/layout-requests';
import type { ImageSession } from '../session/image-session';
import type { Engine } from './serve';

/** The engine's answers about how the image lies on disk. */
export function layoutAnswers(session: () => ImageSession): Pick<Engine, keyof LayoutRequests> {
  const image = () => session().layout;
  const layout = (volume: number) => session().volume(volume).layout;
  return {
    rawDirectory: (volume, directory) => layout(volume).rawDirectory(directory),
    records: (volume, directory, first, count) => layout(volume).records(directory, first, count),
    spaceMap: (query, progress) => layout(query.volume).spaceMap(query, progress),
    freeExtents: (query, progress) => layout(query.volume).freeExtentPage(query, progress),
    findOwners: (volume, progress) => layout(volume).findOwners(progress),
    owner: (volume, unit, progress) => layout(volume).owner(unit, progress),
    pathsOf: (volume, node, progress) => layout(volume).pathsOf(node, progress),
    placeAt: (offset) => image().placeAt(offset),
    structureBranches: (volume, key) => image().structureBranches(volume, key),
    structure: (volume, key) => image().structure(volume, key),
    structuresAt: (offset, length) => image().structuresAt(offset, length),
    bytes: (offset, length) => image().bytes(offset, length),
    search: (query, progress) => image().search(query, progress),
    journal: (volume, progress) => session().journal(volume, progress),
    showReplayed: (volume, replayed, progress) =>
      session().showReplayed(volume, replayed, progress),
  };
}
