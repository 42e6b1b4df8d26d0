import MarkdownIt, { type Token } from 'markdown-it'
import { type CSSProperties, Fragment, lazy, memo, type ReactNode, Suspense, useId, useMemo, useRef } from 'react'
import { CodeBlock } from './code.tsx'
import { type Block, type Parsed, parseBlocks } from './markdown/blocks.ts'
import { addFootnotes, Footnote, FootnoteMark, FootnotesContext, footnoteNumbers } from './markdown/footnotes.tsx'
import { Formula } from './markdown/formula.tsx'
import { addMath } from './markdown/math.ts'

/** Replies with more than this are shown as plain text, because the page must stay usable. */
const maxLength = 100_000
const maxElements = 5000
const maxAddresses = 1000

/** Takes linear time, and nests elements at most this deep. */
const parser = new MarkdownIt({ html: false, breaks: true, linkify: true, maxNesting: 20 })
parser.linkify.set({ fuzzyLink: false }) // file names such as main.py look like addresses
addMath(parser)
addFootnotes(parser)

/** Loaded with the first diagram. */
const Diagram = lazy(() => import('./markdown/diagram.tsx'))

/**
 * Renders Markdown as React elements, never as HTML. Raw HTML is shown as text, an image becomes a link, and only
 * http, https and mailto links work.
 */
export function Markdown({ text, renderCitation }: { text: string; renderCitation?: CitationRenderer }) {
  const previous = useRef<Parsed | null>(null)
  const parsed = useMemo(() => {
    previous.current = parse(text, previous.current)
    return previous.current
  }, [text])
  const prefix = useId()
  const footnotes = useMemo(() => {
    const notes = parsed?.blocks.filter(isFootnote) ?? []
    const defined = new Set(notes.map(({ tokens }) => tokens[0]?.info ?? ''))
    const numbers = footnoteNumbers(defined.size > 0 ? text : '')
    // In the order of their numbers; those that the text does not refer to come last.
    const place = ({ tokens }: Block) => numbers.get(tokens[0]?.info ?? '') ?? Number.POSITIVE_INFINITY
    return { notes: notes.sort((one, other) => place(one) - place(other)), defined, numbers, prefix }
  }, [parsed, text, prefix])
  const blocks = (some: Block[]) =>
    some.map(({ start, tokens }) => <Elements key={start} tokens={tokens} cite={renderCitation} />)
  if (!parsed)
    return (
      <div className="markdown">
        <p className="plain" dir="auto">
          {text}
        </p>
      </div>
    )
  return (
    <div className="markdown">
      <FootnotesContext value={footnotes}>
        {blocks(parsed.blocks.filter((block) => !isFootnote(block)))}
        {footnotes.notes.length > 0 && <ol className="footnotes">{blocks(footnotes.notes)}</ol>}
      </FootnotesContext>
    </div>
  )
}

const isFootnote = ({ tokens }: Block): boolean => tokens[0]?.type === 'footnote_open'

type CitationRenderer = ((label: string) => ReactNode) | undefined

const Elements = memo(({ tokens, cite }: { tokens: Token[]; cite: CitationRenderer }) => elements(tokens, cite))

function parse(text: string, previous: Parsed | null): Parsed | null {
  const isTooLong = text.length > maxLength || occurrences(text, '://') > maxAddresses
  if (isTooLong) return null
  const parsed = parseBlocks(parser, text, previous)
  let count = occurrences(text, '[')
  for (const { tokens } of parsed.blocks) for (const { children } of tokens) count += 1 + (children?.length ?? 0)
  return count > maxElements ? null : parsed
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1

/** Tokens are a flat list, in which opening and closing ones enclose their children. */
function elements(tokens: Token[], cite: CitationRenderer): ReactNode[] {
  const root: ReactNode[] = []
  const open: { token: Token; children: ReactNode[] }[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) {
      open.push({ token, children: [] })
      continue
    }
    const closed = token.nesting === -1 ? open.pop() : undefined
    const element = closed
      ? container(closed.token, closed.children)
      : leaf(token, cite, open.at(-2)?.token.type === 'list_item_open')
    const siblings = open.at(-1)?.children ?? root
    siblings.push(<Fragment key={index}>{element}</Fragment>)
  }
  return root
}

const plainContainers: Record<
  string,
  'p' | 'blockquote' | 'ul' | 'li' | 'thead' | 'tbody' | 'tr' | 'strong' | 'em' | 'del'
> = {
  paragraph_open: 'p',
  blockquote_open: 'blockquote',
  bullet_list_open: 'ul',
  list_item_open: 'li',
  thead_open: 'thead',
  tbody_open: 'tbody',
  tr_open: 'tr',
  strong_open: 'strong',
  em_open: 'em',
  s_open: 'del',
}

function container(token: Token, children: ReactNode[]): ReactNode {
  if (token.hidden) return children // the paragraph of an item in a tight list
  switch (token.type) {
    case 'heading_open': {
      // Below the headings of the page.
      const Heading = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}` as 'h3'
      return <Heading dir="auto">{children}</Heading>
    }
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
    case 'table_open':
      return (
        <div className="table-frame">
          <table>{children}</table>
        </div>
      )
    case 'th_open':
    case 'td_open': {
      const Cell = token.type === 'th_open' ? 'th' : 'td'
      return (
        <Cell dir="auto" {...alignment(token)}>
          {children}
        </Cell>
      )
    }
    case 'footnote_open':
      return <Footnote label={token.info}>{children}</Footnote>
    case 'link_open':
      return <ExternalLink href={String(token.attrGet('href'))}>{children}</ExternalLink>
    default: {
      const Element = plainContainers[token.type]
      if (Element === undefined) return children
      return Element === 'p' || Element === 'li' ? (
        <Element dir="auto">{children}</Element>
      ) : (
        <Element>{children}</Element>
      )
    }
  }
}

function alignment(token: Token): { style?: CSSProperties } {
  const [, align] = /text-align:(left|center|right)/.exec(String(token.attrGet('style'))) ?? []
  return align ? { style: { textAlign: align as 'left' | 'center' | 'right' } } : {}
}

function leaf(token: Token, cite: CitationRenderer, isItem: boolean): ReactNode {
  switch (token.type) {
    case 'inline':
      return inline(token, cite, isItem)
    case 'fence':
    case 'code_block':
      return codeBlock(token.content.replace(/\n$/, ''), readLanguage(token))
    case 'math_inline':
    case 'math_block':
      return <Formula tex={token.content} isBlock={token.type === 'math_block'} />
    case 'code_inline':
      return <code>{token.content}</code>
    case 'hr':
      return <hr />
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'image': {
      const href = String(token.attrGet('src'))
      return <ExternalLink href={href}>{token.content || href}</ExternalLink>
    }
    default:
      return withCitations(token.content, cite)
  }
}

function codeBlock(text: string, language: string | undefined): ReactNode {
  const code = <CodeBlock text={text} language={language} />
  if (language !== 'mermaid') return code
  return (
    <Suspense fallback={code}>
      <Diagram source={text} />
    </Suspense>
  )
}

/** The first word after the fence, as in ```ts title="a". */
const readLanguage = ({ info }: Token): string | undefined => /^[\w+#.-]{1,30}/.exec(info.trim())?.[0].toLowerCase()

const task = /^\[([ xX])\] /

function inline({ children, content }: Token, cite: CitationRenderer, isItem: boolean): ReactNode {
  const tokens = children ?? []
  const [, mark] = (isItem && task.exec(content)) || []
  const [first] = tokens
  if (mark === undefined || first?.type !== 'text') return elements(tokens, cite)
  return (
    <>
      <input type="checkbox" checked={mark !== ' '} readOnly aria-label="Done" />
      {withCitations(first.content.replace(task, ''), cite)}
      {elements(tokens.slice(1), cite)}
    </>
  )
}

const safeProtocol = /^(https?:|mailto:)/i

const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) =>
  safeProtocol.test(href.trim()) ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="external" title={href}>
      {children}
    </a>
  ) : (
    children
  )

const marks = /(\[\^[\w-]{1,30}\]|\[\d{1,3}\])/

/** Replaces each [n] with a citation, and each [^n] with the number of a footnote. */
const withCitations = (text: string, cite: CitationRenderer): ReactNode =>
  text
    .split(marks)
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id
    .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? mark(part, cite) : part}</Fragment>)

function mark(part: string, cite: CitationRenderer): ReactNode {
  if (part.startsWith('[^')) return <FootnoteMark label={part.slice(2, -1)} />
  return cite ? cite(part.slice(1, -1)) : part
}
