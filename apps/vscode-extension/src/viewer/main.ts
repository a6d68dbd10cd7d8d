// SPDX-License-Identifier: Apache-2.0
// The SQLite viewer as a webview: the components are the page's (apps/web), the database is behind messages.

import { mount } from '../../../web/src/components/sqlite/mount';
import { ViewerStore } from '../../../web/src/sqlite/viewer_store';
import { languageFor, setLanguage } from '../../../web/src/strings/language';
import '../../../web/src/style/tokens.css';
import '../../../web/src/components/sqlite/viewer.css';
import '../../../web/src/components/sqlite/viewer_grid.css';
import './frame.css';
import { WebviewLink, type WebviewApi } from './link';

declare const acquireVsCodeApi: () => WebviewApi;

setLanguage(languageFor([document.documentElement.lang]));
mount(new ViewerStore(new WebviewLink(acquireVsCodeApi())), document.getElementById('app')!);
