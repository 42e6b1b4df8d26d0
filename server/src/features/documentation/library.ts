import { existsSync, globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the installation. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

export const home = 'docs/README.md'

/** Pages and files of the site that are not in the folder `docs`. */
const extraPages: Record<string, string> = {
  'README.md': '/docs',
  'openapi.json': '/docs/reference',
  'client/README.md': '/docs/client',
  'examples/README.md': '/docs/examples',
  'CHANGELOG.md': '/docs/changelog',
  'CONTRIBUTING.md': '/docs/contributing',
}

/** Where a file of the repository is on the site, or null if it is not there. */
export function documentUrl(file: string): string | null {
  if (extraPages[file]) return existsSync(join(root, file)) || file === 'openapi.json' ? extraPages[file] : null
  if (!file.startsWith('docs/') || !existsSync(join(root, file))) return null
  if (file.endsWith('/')) return documentUrl(`${file}README.md`)
  return `/${file.replace(/(?:\/README)?\.md$/, '')}`
}

/** Where a link of a file leads on the site. Links to other hosts stay; links to files that are not on the site are null. */
export function resolveLink(from: string, href: string): string | null {
  if (/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const url = documentUrl(posix.join(posix.dirname(from), path))
  return url === null || fragment === undefined ? url : `${url}#${fragment}`
}

/** The Markdown files of the site by their address. */
export function findPages(): Map<string, string> {
  const files = globSync(['docs/**/*.md', ...Object.keys(extraPages)], { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  const pages = files.filter((file) => file.endsWith('.md') && file !== 'README.md').sort()
  return new Map(pages.map((file) => [documentUrl(file) ?? '', file]))
}

/** Pictures and other files in `docs` by their address, with their path on the disk. */
export const findFiles = (types: string[]): Map<string, string> =>
  new Map(
    globSync(`docs/**/*{${types.join(',')}}`, { cwd: root }).map((file) => [
      `/${file.replaceAll('\\', '/')}`,
      join(root, file),
    ]),
  )

export const documentPath = (file: string): string => join(root, file)
