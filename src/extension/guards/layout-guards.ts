import type {
  FreeExtentQuery,
  LayoutRequests,
  SearchQuery,
  SpaceMapQuery,
} from '../../protocol/requests';
import {
  atMost,
  isCount,
  isFlag,
  isKeyOf,
  isRecord,
  isText,
  mostBytes,
  mostRows,
  nullable,
  type Guard,
  type Guards,
} from './guard';

const mostBlocks = 1024;
/** More than a screen can show, and few enough to describe at once. */
const mostDescribed = 64 * 1024;
const longestPattern = 64 * 1024;

const isPattern: Guard<Uint8Array> = (value): value is Uint8Array =>
  value instanceof Uint8Array && value.length <= longestPattern;

const isSpaceMapQuery = isRecord<SpaceMapQuery>({
  volume: isCount,
  first: isCount,
  units: isCount,
  cells: isCount,
  highlight: nullable(isCount),
});

const isFreeExtentQuery = isRecord<FreeExtentQuery>({
  volume: isCount,
  minimum: isCount,
  sort: isKeyOf({ place: true, length: true }),
  descending: isFlag,
  start: isCount,
  count: atMost(mostRows),
});

const isSearchQuery = isRecord<SearchQuery>({
  pattern: isPattern,
  from: isCount,
  backwards: isFlag,
  ignoreCase: isFlag,
  places: isCount,
});

/** What the arguments of questions about the layout have to be. */
export const layoutGuards: Guards<LayoutRequests> = {
  rawDirectory: [isCount, isCount],
  records: [isCount, isCount, isCount, atMost(mostBlocks)],
  spaceMap: [isSpaceMapQuery, isCount],
  freeExtents: [isFreeExtentQuery, isCount],
  findOwners: [isCount, isCount],
  owner: [isCount, isCount, isCount],
  pathsOf: [isCount, isCount, isCount],
  placeAt: [isCount],
  structureBranches: [nullable(isCount), nullable(isText)],
  structure: [nullable(isCount), isText],
  structuresAt: [isCount, atMost(mostDescribed)],
  bytes: [isCount, atMost(mostBytes)],
  search: [isSearchQuery, isCount],
  journal: [isCount, isCount],
  showReplayed: [isCount, isFlag, isCount],
};
