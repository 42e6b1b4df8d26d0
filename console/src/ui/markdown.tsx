import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { CodeBlock } from './code.tsx'

/**
 * Markdown as elements, never as HTML: raw HTML is shown as the text it is, nothing is loaded from elsewhere (an image is
 * a link to it), and a link leads only where a browser may be sent, marked as leading away.
 */
export function Markdown({ text, mark }: { text: string; mark?: (label: string) => ReactNode }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text])
  return <div className="markdown">{blocks(tokens, mark)}</div>
}

type Marker = ((label: string) => ReactNode) | undefined

const blocks = (tokens: Token[], mark: Marker): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name than their place
  tokens.map((token, place) => <Fragment key={place}>{block(token, mark)}</Fragment>)

function block(token: Token, mark: Marker): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      // Below the headings of the page itself.
      const Heading = `h${Math.min(6, depth + 2)}` as 'h3'
      return <Heading>{inline(tokens, mark)}</Heading>
    }
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens, mark)}</p>
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens, mark) : marked(text, mark)
    }
    case 'code':
      return <CodeBlock text={(token as Tokens.Code).text} />
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, mark)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return list(token as Tokens.List, mark)
    case 'table':
      return table(token as Tokens.Table, mark)
    default:
      return <p>{token.raw}</p>
  }
}

function list({ ordered, start, items }: Tokens.List, mark: Marker): ReactNode {
  const rows = items.map((item, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <li key={place}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} readOnly aria-label="Done" />}
      {blocks(item.tokens, mark)}
    </li>
  ))
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>
}

const table = ({ header, rows }: Tokens.Table, mark: Marker): ReactNode => (
  <div className="table-frame">
    <table>
      <thead>
        <tr>
          {header.map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <th key={place}>{inline(cell.tokens, mark)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <tr key={row}>
            {cells.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={place}>{inline(cell.tokens, mark)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const inline = (tokens: Token[], mark: Marker): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  tokens.map((token, place) => <Fragment key={place}>{piece(token, mark)}</Fragment>)

function piece(token: Token, mark: Marker): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline((token as Tokens.Strong).tokens, mark)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens, mark)}</em>
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens, mark)}</del>
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link': {
      const { href, tokens } = token as Tokens.Link
      return <Away href={href}>{inline(tokens, mark)}</Away>
    }
    case 'image': {
      const { href, text } = token as Tokens.Image
      return <Away href={href}>{text || href}</Away>
    }
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens, mark) : marked(text, mark)
    }
    case 'escape':
      return (token as Tokens.Escape).text
    default:
      return token.raw
  }
}

const safe = /^(https?:|mailto:)/i

const Away = ({ href, children }: { href: string; children: ReactNode }) =>
  safe.test(href.trim()) ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="away" title={href}>
      {children}
    </a>
  ) : (
    children
  )

/** A [n] in a text becomes what the caller makes of it. */
const marked = (text: string, mark: Marker): ReactNode =>
  mark
    ? text
        .split(/(\[\d{1,3}\])/)
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        .map((part, place) => <Fragment key={place}>{place % 2 === 1 ? mark(part.slice(1, -1)) : part}</Fragment>)
    : text
