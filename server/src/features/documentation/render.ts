import { createRequire } from 'node:module'
import MarkdownIt, { type Token } from 'markdown-it'
import { resolveLink } from './library.ts'

export interface Heading {
  id: string
  text: string
  level: number
}

/** A heading with the text up to the next one. */
export interface Section {
  id: string
  heading: string
  text: string
}

export interface Rendered {
  title: string
  /** The first paragraph, as text. */
  description: string
  html: string
  headings: Heading[]
  sections: Section[]
}

interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): unknown
  highlight(code: string, options: { language: string }): { value: string }
}

/** Not imported: its types bring those of browsers into every file. */
const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter

const languages: Record<string, { name: string; grammar: string }> = {
  sh: { name: 'Shell', grammar: 'bash' },
  ini: { name: 'Settings', grammar: 'ini' },
  json: { name: 'JSON', grammar: 'json' },
  yaml: { name: 'YAML', grammar: 'yaml' },
  ts: { name: 'TypeScript', grammar: 'typescript' },
  tsx: { name: 'React', grammar: 'typescript' },
  js: { name: 'JavaScript', grammar: 'typescript' },
}
for (const [language, { grammar }] of Object.entries(languages))
  highlighter.registerLanguage(language, require(`highlight.js/lib/languages/${grammar}`))

/** HTML in a page is shown as text, never interpreted. */
const markdown = new MarkdownIt({ html: false })
const { escapeHtml } = markdown.utils

markdown.renderer.rules.heading_open = (tokens, at) => {
  const { tag, attr } = bound(tokens[at])
  return `<${tag} id="${escapeHtml(attr('id'))}">`
}
markdown.renderer.rules.heading_close = (tokens, at) => {
  const { tag, attr } = bound(tokens[at])
  const id = escapeHtml(attr('id'))
  const name = escapeHtml(attr('name'))
  return tag === 'h1' ? '</h1>\n' : ` <a class="anchor" href="#${id}" aria-label="Link to “${name}”">#</a></${tag}>\n`
}
markdown.renderer.rules.table_open = () => '<div class="table"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'
markdown.renderer.rules.fence = (tokens, at) => {
  const { content, info } = bound(tokens[at])
  const [language = ''] = info.split(' ')
  const code = highlighter.getLanguage(language)
    ? highlighter.highlight(content, { language }).value
    : escapeHtml(content)
  const label = languages[language]?.name ?? 'Output'
  return `<figure class="code"><figcaption>${label}</figcaption><pre aria-label="${label}"><code>${code}</code></pre></figure>\n`
}
markdown.renderer.rules.image = (tokens, at) => {
  const { attr, children } = bound(tokens[at])
  const text = escapeHtml((children ?? []).map(({ content }) => content).join(''))
  return `<img src="${escapeHtml(attr('src'))}" alt="${text}" loading="lazy">`
}

const readAttribute = (token: Token | undefined, name: string): string => String(token?.attrGet(name) ?? '')

const bound = (token: Token | undefined) => ({
  tag: token?.tag ?? '',
  content: token?.content ?? '',
  info: token?.info ?? '',
  children: token?.children,
  attr: (name: string) => readAttribute(token, name),
})

/** A Markdown file as HTML. Links to files of the repository lead to the pages of the site. */
export function render(file: string, text: string): Rendered {
  const tokens = markdown.parse(text, {})
  const headings = nameHeadings(tokens)
  nameRows(tokens, new Set(headings.map(({ id }) => id)))
  for (const token of tokens) if (token.children) token.children = withLinks(file, token.children)
  const paragraph = tokens.findIndex(({ type }) => type === 'paragraph_open')
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? file,
    description: plain(tokens[paragraph + 1]),
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    sections: splitSections(tokens),
  }
}

/** The text of a token without its marks. */
const plain = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'image' ? '' : content))
    .join('')

/** The same ids as GitHub has, so that links work in both places. */
function nameHeadings(tokens: Token[]): Heading[] {
  const used = new Map<string, number>()
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const text = plain(tokens[at + 1])
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    const id = count === 0 ? slug : `${slug}-${count}`
    token.attrSet('id', id)
    const close = tokens[at + 2]
    close?.attrSet('id', id)
    close?.attrSet('name', text)
    return [{ id, text, level: Number(token.tag.slice(1)) }]
  })
}

/** A row about one name in code, such as an error code or a setting, can be linked to by that name. */
function nameRows(tokens: Token[], used: Set<string>): void {
  tokens.forEach((row, at) => {
    if (row.type !== 'tr_open') return
    const cells = tokens.slice(at, at + 6).filter(({ type }) => type === 'inline')
    const cell = cells.find(({ children }) => children?.[0]?.type === 'code_inline')
    const id = cell?.children?.[0]?.content ?? ''
    if (!/^[\w.-]+$/.test(id) || used.has(id)) return
    used.add(id)
    row.attrSet('id', id)
  })
}

/** A link to something that is not on the site becomes its text. */
function withLinks(file: string, children: Token[]): Token[] {
  const kept: Token[] = []
  let isOpen = true
  for (const token of children) {
    if (token.type === 'link_open') {
      const url = resolveLink(file, readAttribute(token, 'href'))
      isOpen = url !== null
      if (url === null) continue
      token.attrSet('href', url)
      if (/^https?:/.test(url)) token.attrSet('rel', 'noopener noreferrer')
    } else if (token.type === 'link_close' && !isOpen) {
      isOpen = true
      continue
    } else if (token.type === 'image') token.attrSet('src', resolveLink(file, readAttribute(token, 'src')) ?? '')
    kept.push(token)
  }
  return kept
}

function splitSections(tokens: Token[]): Section[] {
  const sections: Section[] = []
  tokens.forEach((token, at) => {
    const section = sections.at(-1)
    if (token.type === 'heading_open')
      sections.push({ id: readAttribute(token, 'id'), heading: plain(tokens[at + 1]), text: '' })
    else if (section && tokens[at - 1]?.type !== 'heading_open') {
      if (token.type === 'inline') section.text += `${plain(token)} `
      else if (token.type === 'fence') section.text += `${token.content} `
    }
  })
  return sections
}
