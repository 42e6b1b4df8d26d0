import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import MarkdownIt from 'markdown-it'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface Block {
  language: string
  /** The info string after the language: `POST /api/agents` says that the JSON is a body of this route. */
  about: string
  code: string
  line: number
}

export const pages: string[] = globSync(['README.md', 'client/README.md', 'examples/README.md', 'docs/*.md'], {
  cwd: root,
}).sort()

const markdown = new MarkdownIt()

/** The fenced code blocks of a page, also those in lists and quotes. */
export const readBlocks = (page: string): Block[] =>
  markdown
    .parse(readFileSync(`${root}${page}`, 'utf8'), {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content, map }) => {
      const [language = '', ...about] = info.trim().split(' ')
      return { language, about: about.join(' '), code: content, line: (map?.[0] ?? 0) + 1 }
    })
