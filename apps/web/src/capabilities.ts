// SPDX-License-Identifier: Apache-2.0
// What the host can, and this page can show of it.

import type { Host } from './host';
import type { State } from './store';

/** Come over the address of a gateway, which a page in an editor has none of. */
const OF_A_GATEWAY = ['databases', 'doctor'];

export function has(app: { state: { value: State }; host: Host }, capability: string): boolean {
  return (
    app.state.value.capabilities.includes(capability) &&
    (app.host.gateway !== undefined || !OF_A_GATEWAY.includes(capability))
  );
}
