import { Parser, Tokenizer } from 'htmlparser2'

const sliceLength = 65_536

/** Whether a page is small and flat enough to build a tree of it. */
export function fitsInTree(html: string, maxDepth: number, maxNodes: number): boolean {
  let depth = 0
  let nodes = 0
  let fits = true
  const count = () => {
    if (++nodes > maxNodes) fits = false
  }
  const parser = new Parser({
    onopentagname() {
      count()
      if (++depth > maxDepth) fits = false
    },
    onclosetag() {
      depth--
    },
    ontext: count,
  })
  // In slices, to stop as soon as a limit is exceeded.
  for (let at = 0; fits && at < html.length; at += sliceLength) parser.write(html.slice(at, at + sliceLength))
  return fits
}

const hidden = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'svg',
  'iframe',
  'object',
  'textarea',
  'select',
])
const blocks = new Set(
  'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hr li main nav ol p pre section summary table tr ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
)
const lineStarts: Record<string, string> = {
  li: '- ',
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '#### ',
  h5: '##### ',
  h6: '###### ',
}

/** The text of a page with headings, list items and table rows, extracted without building a tree. */
export function htmlText(html: string): string {
  const lines: string[] = []
  let line: string[] = []
  let block = ''
  let lastBlock = ''
  let unseen = ''
  const finish = () => {
    const words = line.join('').replace(/\s+/g, ' ').trim()
    line = []
    if (words === '') return
    const together = block === lastBlock && (block === 'li' || block === 'tr')
    lines.push(together ? '\n' : '\n\n', lineStarts[block] ?? '', words)
    lastBlock = block
    block = ''
  }
  const add = (text: string) => {
    if (unseen === '') line.push(text)
  }
  const open = (name: string) => {
    if (unseen !== '') return
    if (hidden.has(name)) unseen = name
    else if (name === 'br') line.push(' ')
    else if (name === 'td' || name === 'th') line.push(line.length > 0 ? ' | ' : '')
    else if (blocks.has(name)) {
      finish()
      block = name
    }
  }
  const close = (name: string) => {
    if (unseen === name) unseen = ''
    else if (unseen === '' && blocks.has(name)) finish()
  }
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => add(html.slice(from, to)),
      ontextentity: (code) => add(String.fromCodePoint(code)),
      onopentagname: (from, to) => open(html.slice(from, to).toLowerCase()),
      onclosetag: (from, to) => close(html.slice(from, to).toLowerCase()),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      onopentagend: ignore,
      onselfclosingtag: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  finish()
  return lines.join('').trim()
}
