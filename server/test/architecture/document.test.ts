import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** Files and folders of the repository, each with a leading slash, to match the end of a path. */
const paths = globSync('{bench,bin,chaos,cli,client,console,docs,packages,server,test}/**', {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map((path) => `/${path.split(sep).join('/')}`)

/** The document names a file from any folder on its way: `turn/prepare.ts` is `server/src/features/conversations/turn/prepare.ts`. */
const exists = (path: string): boolean =>
  existsSync(join(root, path)) || paths.some((each) => each.endsWith(`/${path.replace(/\/$/, '')}`))

/** The paths in the tree at the top of the document, which nests folders by indentation. */
function pathsInTree(text: string): string[] {
  const [, tree = ''] = /```text\n([\s\S]*?)```/.exec(text) ?? []
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name] = /^( *)([\w./-]+)/.exec(line) ?? []
    if (name === undefined) return []
    parents.splice(indent.length / 2, Number.POSITIVE_INFINITY, name)
    return [parents.join('').replace(/\/$/, '')]
  })
}

/** Code such as `turn/prepare.ts` or `packages/threads`. */
const pathsInCode = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[\w-]+\.ts)`/g)].map(
    ([, path = '']) => path,
  )

const pathsInLinks = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => `docs/${path}`)

const missing = (text: string): string[] => [
  ...pathsInTree(text).filter((path) => !existsSync(join(root, path))),
  ...[...pathsInCode(text), ...pathsInLinks(text)].filter((path) => !exists(path)),
]

it('docs/architecture.md names only files and folders that exist', () => {
  expect(pathsInTree(document)).toContain('server/src/kernel/http')
  expect(pathsInCode(document)).toContain('kernel/llm/retry.ts')
  expect(pathsInLinks(document)).toContain('docs/access.md')
  expect(missing(document)).toEqual([])
})

it('finds what does not exist in the tree, in code and in links', () => {
  const text = [
    '```text\nserver/\n  src/\n    app.ts   starts\n    nowhere/ is not there\ncli/\n  src/\n```',
    '`turn/prepare.ts`, `turn/lost.ts`, `urn/prepare.ts`, `notFound()`, [access](access.md) and [more](lost.md)',
  ].join('\n')
  expect(missing(text)).toEqual(['server/src/nowhere', 'turn/lost.ts', 'urn/prepare.ts', 'docs/lost.md'])
})
