import * as vscode from 'vscode';
import type { TargetAction } from './inspector-command';

/** As many extents as a clipboard is good for. */
const extentLimit = 100_000;

export const copyPath: TargetAction = async ({ path }) => {
  await vscode.env.clipboard.writeText(path);
};

export const copyNumber: TargetAction = async ({ inspector, volume, node }) => {
  const { number } = await inspector.image.engine.request('details', [volume, node, 0]);
  await vscode.env.clipboard.writeText(String(number));
};

export const copyJson: TargetAction = async ({ inspector, volume, node, path }) => {
  const details = await inspector.image.engine.request('details', [volume, node, extentLimit]);
  await vscode.env.clipboard.writeText(JSON.stringify({ path, ...details }, undefined, 2));
};
