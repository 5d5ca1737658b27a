/**
 * The controls of VS Code's webview toolkit, registered as `vscode-…` elements. The toolkit is no
 * longer maintained: no other file imports it, so that it can be replaced here.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeBadge,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/** The value of a text field or dropdown, and the state of a checkbox, when they tell a change. */
export interface ControlElement extends HTMLElement {
  value: string;
  checked: boolean;
}

export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeBadge(),
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeProgressRing(),
    vsCodeTextField(),
  );
}
