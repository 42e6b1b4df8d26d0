import type { Feature } from '../../kernel/feature.ts'
import { serveApiReference } from './api-reference.ts'
import { serveDocs } from './site.ts'

/** The documentation and the reference of the API, as pages below /docs. */
export const documentation: Feature = {
  name: 'documentation',
  pages: (app, { version }, routes) => serveApiReference(app, routes, version, serveDocs(app, version)),
}
