import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { CodeBlock } from './code.tsx'

/**
 * Renders Markdown as React elements, never as HTML. Raw HTML is shown as text, an image becomes a link, and only
 * http, https and mailto links work.
 */
export function Markdown({ text, renderCitation }: { text: string; renderCitation?: CitationRenderer }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text])
  return <div className="markdown">{blocks(tokens, renderCitation)}</div>
}

type CitationRenderer = ((label: string) => ReactNode) | undefined

const blocks = (tokens: Token[], cite: CitationRenderer): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no id
  tokens.map((token, index) => <Fragment key={index}>{block(token, cite)}</Fragment>)

function block(token: Token, cite: CitationRenderer): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      // Below the headings of the page.
      const Heading = `h${Math.min(6, depth + 2)}` as 'h3'
      return <Heading>{inline(tokens, cite)}</Heading>
    }
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens, cite)}</p>
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens, cite) : withCitations(text, cite)
    }
    case 'code':
      return <CodeBlock text={(token as Tokens.Code).text} />
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, cite)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return list(token as Tokens.List, cite)
    case 'table':
      return table(token as Tokens.Table, cite)
    default:
      return <p>{token.raw}</p>
  }
}

function list({ ordered, start, items }: Tokens.List, cite: CitationRenderer): ReactNode {
  const rows = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} readOnly aria-label="Done" />}
      {blocks(item.tokens, cite)}
    </li>
  ))
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>
}

const table = ({ header, rows }: Tokens.Table, cite: CitationRenderer): ReactNode => (
  <div className="table-frame">
    <table>
      <thead>
        <tr>
          {header.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <th key={index}>{inline(cell.tokens, cite)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <tr key={row}>
            {cells.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={index}>{inline(cell.tokens, cite)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const inline = (tokens: Token[], cite: CitationRenderer): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  tokens.map((token, index) => <Fragment key={index}>{inlineToken(token, cite)}</Fragment>)

function inlineToken(token: Token, cite: CitationRenderer): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline((token as Tokens.Strong).tokens, cite)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens, cite)}</em>
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens, cite)}</del>
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link': {
      const { href, tokens } = token as Tokens.Link
      return <ExternalLink href={href}>{inline(tokens, cite)}</ExternalLink>
    }
    case 'image': {
      const { href, text } = token as Tokens.Image
      return <ExternalLink href={href}>{text || href}</ExternalLink>
    }
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens, cite) : withCitations(text, cite)
    }
    case 'escape':
      return (token as Tokens.Escape).text
    default:
      return token.raw
  }
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

/** Replaces each [n] with a citation. */
const withCitations = (text: string, cite: CitationRenderer): ReactNode =>
  cite
    ? text
        .split(/(\[\d{1,3}\])/)
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? cite(part.slice(1, -1)) : part}</Fragment>)
    : text
