import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import {
  longRequests,
  type Destination,
  type Edit,
  type EngineRequests,
  type PlacedEntry,
  type HostRequests,
  type ImageSummary,
  type InspectorCommand,
  type NodeId,
  type Operation,
  type RequestArguments,
  type Selection,
  type TaskId,
  type ViewId,
  type WebviewEvents,
} from '../../protocol/requests';
import { connect, RemoteError, type Connection, type Local } from '../../protocol/rpc';
import { engineRequestNames, guardedRequests } from '../guards/webview-requests';
import type { OpenImage } from '../image/open-image';
import type { Attention } from '../shared/engine';
import { inspectorHtml } from './inspector-html';

/** A directory of an image. */
export interface FolderRef {
  readonly volume: number;
  readonly directory: NodeId;
}

/** What an inspector asks of the rest of the extension. */
export interface InspectorServices {
  readonly extensionUri: vscode.Uri;
  runCommand(command: InspectorCommand, inspector: Inspector): void;
  openContent(inspector: Inspector, volume: number, node: NodeId, path: string): Promise<void>;
  edit(inspector: Inspector, operation: Operation): Promise<Edit>;
  importDropped(inspector: Inspector, folder: FolderRef, uris: readonly string[]): Promise<void>;
  importBytes(
    inspector: Inspector,
    folder: FolderRef,
    name: string,
    bytes: Uint8Array,
  ): Promise<void>;
}

/** What an inspector answers itself: to two of these, what the engine answers is not all. */
type OwnRequests = Omit<HostRequests, Exclude<keyof EngineRequests, 'summary' | 'showReplayed'>>;

/** One editor that shows an image: its webview, and what is chosen in it. */
export class Inspector {
  private chosen: Selection | undefined;
  private readonly selected = new vscode.EventEmitter<void>();
  private readonly disposed = new vscode.EventEmitter<void>();
  /** What the webview is told once it is there again. */
  private untold: (() => void) | undefined;
  private readonly tasks = new Map<TaskId, AbortController>();
  private readonly webview: Connection<object, WebviewEvents>;

  readonly onDidSelect = this.selected.event;
  readonly onDidDispose = this.disposed.event;

  constructor(
    readonly image: OpenImage,
    readonly panel: vscode.WebviewPanel,
    private readonly services: InspectorServices,
  ) {
    this.webview = connect(channelOf(panel), guardedRequests(this.requests()));
    const subscriptions = [
      image.onDidChange(() => this.webview.tell('imageChanged')),
      image.onDidChangeOutside((difference) => this.webview.tell('changedOutside', difference)),
      image.onDidVanish(() => this.webview.tell('imageGone')),
      image.onDidRestart((failure) => this.webview.tell('engineRestarted', failure)),
      image.onDidCheck((volume) => {
        if (volume !== null) this.webview.tell('checked', volume);
      }),
      // A hidden webview is gone, and asks anew when it is shown again.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.cancelAll();
      }),
    ];
    panel.onDidDispose(() => {
      for (const subscription of subscriptions) subscription.dispose();
      this.webview.close(new RemoteError('ended', 'The editor has been closed.'));
      this.cancelAll();
      this.disposed.fire();
      this.selected.dispose();
      this.disposed.dispose();
    });
    this.load();
  }

  /** What is chosen in it; undefined until it says so. */
  get selection(): Selection | undefined {
    return this.chosen;
  }

  /** Shows what "Go to…" leads to. */
  reveal(destination: Destination, view: ViewId): void {
    this.panel.reveal();
    this.webview.tell('reveal', destination, view);
  }

  /** Shows an entry in a view, or with null what is chosen. */
  showIn(view: ViewId, entry: PlacedEntry | null): void {
    this.panel.reveal();
    this.webview.tell('showIn', view, entry);
  }

  /** Opens the planner for a file, or with null for what is chosen, or of a trim of the volume. */
  openPlanner(planner: 'preallocate' | 'trim', entry: PlacedEntry | null): void {
    this.panel.reveal();
    this.webview.tell('openPlanner', planner, entry);
  }

  /** Shows the checks view, and checks the volume that is shown. */
  startCheck(): void {
    this.panel.reveal();
    this.webview.tell('startCheck');
  }

  /** Shows a finding of the last check of a volume, by its index. */
  showFinding(volume: number, index: number): void {
    const tell = () => this.webview.tell('showFinding', volume, index);
    if (this.panel.visible) tell();
    else this.untold = tell;
    this.panel.reveal();
  }

  private load(): void {
    const { webview } = this.panel;
    const { extensionUri } = this.services;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const media = vscode.Uri.joinPath(extensionUri, 'media');
    const place = (folder: vscode.Uri, file: string) =>
      webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [dist, media] };
    webview.html = inspectorHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      script: place(dist, 'webview.js'),
      styles: [place(dist, 'codicon.css'), place(media, 'inspector.css')],
    });
  }

  private requests(): Local<HostRequests> {
    const passedOn = engineRequestNames.map((name) => [
      name,
      (...args: unknown[]) => this.passOn(name, args),
    ]);
    const own: Local<OwnRequests> = {
      summary: () => this.summary(),
      showReplayed: (volume, replayed, task) =>
        this.attend(task, (attention) => this.image.showReplayed(volume, replayed, attention)),
      cancel: (task) => this.tasks.get(task)?.abort(),
      openContent: (volume, node, path) => this.services.openContent(this, volume, node, path),
      runCommand: (command) => this.services.runCommand(command, this),
      selectionChanged: (selection) => {
        this.chosen = selection;
        this.selected.fire();
      },
      runCheck: (volume, task) =>
        this.attend(task, (attention) => this.image.checks.check(volume, attention)),
      lastCheck: (volume, known) => this.image.checks.last(volume, known),
      edit: (operation) => this.services.edit(this, operation),
      importDropped: (volume, directory, uris) =>
        this.services.importDropped(this, { volume, directory }, uris),
      importBytes: (volume, directory, name, bytes) =>
        this.services.importBytes(this, { volume, directory }, name, bytes),
    };
    return { ...(Object.fromEntries(passedOn) as Local<EngineRequests>), ...own };
  }

  private summary(): Promise<ImageSummary> {
    // A webview that is made anew begins with it, and has missed the event.
    if (this.image.isGone) this.webview.tell('imageGone');
    this.untold?.();
    this.untold = undefined;
    return this.image.summary();
  }

  /** Asks the engine for the webview. Each webview counts its tasks by itself. */
  private async passOn(name: keyof EngineRequests, args: unknown[]): Promise<unknown> {
    const { engine } = this.image;
    if (!longRequests.some((long) => long === name)) {
      return engine.request(name, args as RequestArguments<typeof name>);
    }
    return this.attend(args.pop() as TaskId, (attention) =>
      engine.request(name, args as RequestArguments<typeof name>, attention),
    );
  }

  /** Runs what the webview may cancel, and tells it how far that is. */
  private async attend<Answer>(
    task: TaskId,
    work: (attention: Attention) => Promise<Answer>,
  ): Promise<Answer> {
    const abort = new AbortController();
    this.tasks.set(task, abort);
    try {
      return await work({
        signal: abort.signal,
        progress: (done, total) => this.webview.tell('progress', task, done, total),
      });
    } finally {
      if (this.tasks.get(task) === abort) this.tasks.delete(task);
    }
  }

  private cancelAll(): void {
    for (const abort of this.tasks.values()) abort.abort();
    this.tasks.clear();
  }
}

function channelOf(panel: vscode.WebviewPanel) {
  let open = true;
  panel.onDidDispose(() => {
    open = false;
  });
  return {
    post: (message: unknown) => {
      // Nobody hears what is told to a hidden webview, and nobody needs to.
      if (open) void panel.webview.postMessage(message);
    },
    listen: (receive: (message: unknown) => void) =>
      void panel.webview.onDidReceiveMessage(receive),
  };
}
