import { VolumeBytes, type ImageBytes } from '../image/bytes';
import { EditedImage, type EditingFolders } from '../image/edited-image';
import type { ByteRange } from '../image/edits';
import { ImageError } from '../image/errors';
import { hostStateFolder } from '../image/state-folder';
import type { ReadOptions } from '../filesystem/filesystem';
import type { Progress } from '../filesystem/progress';
import { findVolumes, type FoundVolume, type FoundVolumes } from '../volume/find-volumes';
import type { ImageSummary, VolumeSummary } from './answers';
import { attempt } from './entry-facts';
import { openFileSystem, recognisers } from './families';
import { touches } from './edits/raw-edits';
import { ImageEdits, whyNotReplayed } from './image-edits';
import { ImageLayout } from './image-layout';
import type { JournalAnswer } from './layout-answers';
import { OpenVolume } from './open-volume';
import { ShownImage } from './shown-image';

interface ImageSource extends ReadOptions {
  /** The image on the host, if it is a file. */
  readonly path?: string;
}

type OpenOptions = ReadOptions & Partial<EditingFolders>;

/** One open image. Nothing is read of a volume until something is asked of it. */
export class ImageSession {
  /** What is changed of it. */
  readonly edits: ImageEdits;
  private readonly image: EditedImage;
  private readonly shown: ShownImage;
  /** Opened volumes, or the sentence that says why one cannot be opened, by index. */
  private readonly opened = new Map<number, OpenVolume | string>();
  /** Volumes that are shown as they will be after the replay of their journals. */
  private readonly replayed = new Map<number, OpenVolume>();
  private found: FoundVolumes;
  private knownLayout: ImageLayout | undefined;

  /** @param image as it is on disk, or as it is edited */
  constructor(
    image: ImageBytes,
    private readonly source: ImageSource = {},
  ) {
    this.image = image instanceof EditedImage ? image : new EditedImage(image);
    this.found = findVolumes(this.image, recognisers);
    this.shown = new ShownImage(this.image);
    this.edits = new ImageEdits(this.image, {
      path: source.path,
      volume: (index) => this.volume(index),
      replayedRanges: () => [...this.replayed.values()].map(({ bytes }) => rangeOf(bytes)),
      structuresAt: (offset, length) => this.layout.structuresAt(offset, length),
      forget: (ranges) => this.forget(ranges),
    });
  }

  /**
   * @param options the state folder is the host's own where none is given
   * @throws ImageError `unreadable` when the path is no readable regular file
   */
  static open(path: string, options: OpenOptions = {}): ImageSession {
    const { stateFolder = hostStateFolder(), undoFolder, codePage } = options;
    const image = EditedImage.open(path, { stateFolder, undoFolder });
    try {
      return new ImageSession(image, { codePage, path });
    } catch (error) {
      image.close();
      throw error;
    }
  }

  close(): void {
    this.image.close();
  }

  /** How it lies on disk as a whole. */
  get layout(): ImageLayout {
    const openVolume = (index: number) => this.volume(index);
    return (this.knownLayout ??= new ImageLayout(this.shown, this.found, openVolume));
  }

  /** The first volume that can be opened; null where there is none. */
  get first(): number | null {
    const index = this.found.volumes.findIndex((_, i) => this.canOpen(i));
    return index < 0 ? null : index;
  }

  /** How many volumes can be opened. */
  get readableVolumes(): number {
    return this.found.volumes.filter((_, i) => this.canOpen(i)).length;
  }

  /**
   * A volume by its index, or the first that can be opened.
   * @throws ImageError `unreadable` when it holds no filesystem that is read, `usage` when there is
   *   no such volume
   */
  volume(index: number | null = this.first): OpenVolume {
    if (index === null) throw new ImageError('unreadable', this.whyNone());
    if (!this.found.volumes[index]) {
      const { length } = this.found.volumes;
      const has = length === 1 ? 'only volume 0' : `volumes 0 to ${length - 1}`;
      throw new ImageError('usage', `There is no volume ${index}: the image has ${has}.`);
    }
    return readable(this.tryVolume(index));
  }

  summary(): ImageSummary {
    return {
      image: { size: this.image.size, allocated: this.image.allocated },
      scheme: this.found.scheme,
      notes: [...this.image.notes, ...this.found.notes],
      whyReadOnly: this.image.whyReadOnly,
      volumes: this.found.volumes.map((found, index) => this.summarise(found, index)),
      first: this.first,
    };
  }

  /** What the journal of a volume holds; null for a volume without one. */
  journal(index: number, progress?: Progress): JournalAnswer | null {
    const { journal } = this.onDisk(index).fileSystem;
    if (!journal) return null;
    return { ...journal.summary(progress), isReplayed: this.replayed.has(index) };
  }

  /**
   * Shows a volume as it is on disk, or as it will be after its journal is replayed; without a
   * journal both are the same. Whatever was asked of it before may be out of date.
   * @throws ImageError when the journal cannot be read, or what it leaves cannot be opened
   */
  showReplayed(index: number, replayed: boolean, progress?: Progress): void {
    const { journal } = this.onDisk(index).fileSystem;
    if (replayed === this.replayed.has(index) || !journal) return;
    if (replayed) {
      const bytes = journal.replayed(progress);
      const volume = this.openBytes(bytes);
      if (typeof volume === 'string') throw new ImageError('corrupt', volume);
      this.replayed.set(index, volume);
      this.shown.replace(index, bytes);
    } else {
      this.replayed.delete(index);
      this.shown.replace(index, undefined);
    }
  }

  /** Looks anew at what lies in some ranges of the image; without them, at everything. */
  private forget(ranges?: readonly ByteRange[]): void {
    const places = JSON.stringify(this.found);
    this.found = findVolumes(this.image, recognisers);
    this.knownLayout = undefined;
    const isSame = places === JSON.stringify(this.found);
    for (const index of [...this.opened.keys(), ...this.replayed.keys()]) {
      const { offset, length } = this.found.volumes.at(index) ?? { offset: 0, length: 0 };
      if (isSame && ranges && !touches(ranges, offset, length)) continue;
      this.opened.delete(index);
      this.replayed.delete(index);
      this.shown.replace(index, undefined);
    }
  }

  private summarise(found: FoundVolume, index: number): VolumeSummary {
    const { offset, length, type, partition } = found;
    const foreign = found.foreign?.name ?? null;
    const replayed = this.replayed.has(index);
    const place = { index, offset, length, partition, foreign, replayed };
    const volume = this.tryVolume(index);
    if (typeof volume === 'string') {
      const whyReadOnly = 'What cannot be read cannot be changed either.';
      const notes = found.notes;
      return { ...place, ...unknownFacts, type, notes, unreadable: volume, whyReadOnly };
    }
    const { fileSystem } = volume;
    const { facts } = fileSystem;
    const unit = { ...fileSystem.unit, offset: fileSystem.offsetOf(fileSystem.unit.first) };
    const notes = [...found.notes, ...facts.notes];
    const { whyNot } = fileSystem.editing;
    const whyReadOnly = this.image.whyReadOnly ?? (replayed ? whyNotReplayed : whyNot);
    return { ...place, ...facts, unit, notes, unreadable: null, whyReadOnly };
  }

  private canOpen(index: number): boolean {
    return typeof this.tryVolume(index) !== 'string';
  }

  private tryVolume(index: number): OpenVolume | string {
    return this.replayed.get(index) ?? this.tryOnDisk(index);
  }

  /** As `volume`, as it is on disk. */
  private onDisk(index: number): OpenVolume {
    this.volume(index);
    return readable(this.tryOnDisk(index));
  }

  private tryOnDisk(index: number): OpenVolume | string {
    let volume = this.opened.get(index);
    if (volume === undefined) {
      volume = this.open(this.found.volumes[index]);
      this.opened.set(index, volume);
    }
    return volume;
  }

  private open({ offset, length, type, foreign }: FoundVolume): OpenVolume | string {
    if (foreign) return `It is ${foreign.name}, which is recognised, but not read.`;
    if (type === 'unknown') return 'It holds no known filesystem.';
    return this.openBytes(new VolumeBytes(this.image, offset, length));
  }

  private openBytes(bytes: VolumeBytes): OpenVolume | string {
    const fileSystem = attempt(() => openFileSystem(bytes, this.source));
    if (typeof fileSystem === 'string') return fileSystem;
    if (!fileSystem) return 'It holds no known filesystem.';
    return new OpenVolume(fileSystem, bytes, this.source.path);
  }

  /** Why no volume can be opened, in one sentence. */
  private whyNone(): string {
    const { volumes } = this.found;
    if (volumes.length === 1) {
      const reason = this.tryVolume(0);
      if (typeof reason === 'string') return reason.replace(/^It /, 'The image ');
    }
    return `None of the ${volumes.length} volumes holds a filesystem that can be read.`;
  }
}

const rangeOf = ({ offset, size }: VolumeBytes): ByteRange => ({ offset, length: size });

function readable(volume: OpenVolume | string): OpenVolume {
  if (typeof volume === 'string') throw new ImageError('unreadable', volume);
  return volume;
}

const unknownFacts = {
  label: '',
  uuid: '',
  blockSize: null,
  blocks: null,
  freeBlocks: null,
  inodes: null,
  freeInodes: null,
  state: 'unknown',
  features: [],
  unit: null,
} as const;
