/** The supported formats with their media types. */
export const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ipynb: 'application/x-ipynb+json',
  md: 'text/markdown',
  txt: 'text/plain',
  code: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
} as const

export type Format = keyof typeof mediaTypes

/** Whether the format is that of images, whose text is read with OCR. */
export const isImage = (format: Format): boolean => mediaTypes[format].startsWith('image/')

const codeExtensions =
  'ts tsx mts cts js jsx mjs cjs vue svelte astro css scss sass less py pyi rb php java kt kts scala groovy gradle ' +
  'c h cc cpp cxx hpp hh cs fs vb go rs swift m mm dart lua pl pm r jl hs elm erl ex exs clj cljs lisp scm ml mli nim zig ' +
  'sh bash zsh fish ps1 bat cmd awk sed sql graphql gql proto thrift tf hcl nix cmake make mk dockerfile yaml yml toml ini ' +
  'cfg conf properties env xml xsd xsl svg tex bib sty diff patch asm s v sv vhd sol wat vim el'

const extensions = new Map<string, Format>([
  ...codeExtensions.split(' ').map((extension) => [extension, 'code'] as const),
  ...(['md', 'markdown', 'mdown', 'mdx', 'qmd', 'rmd'] as const).map((extension) => [extension, 'md'] as const),
  ...(['txt', 'text', 'log', 'rst', 'adoc', 'org', 'srt', 'vtt'] as const).map(
    (extension) => [extension, 'txt'] as const,
  ),
  ...(['html', 'htm', 'xhtml'] as const).map((extension) => [extension, 'html'] as const),
  ...(['csv', 'tsv', 'tab'] as const).map((extension) => [extension, 'csv'] as const),
  ...(['json', 'geojson', 'webmanifest'] as const).map((extension) => [extension, 'json'] as const),
  ...(['jsonl', 'ndjson'] as const).map((extension) => [extension, 'jsonl'] as const),
  ['ipynb', 'ipynb'],
  ['eml', 'eml'],
  ['mhtml', 'eml'],
])

const textMediaTypes = new Map<string, Format>([
  ['text/markdown', 'md'],
  ['text/x-markdown', 'md'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['message/rfc822', 'eml'],
  ['text/javascript', 'code'],
  ['application/javascript', 'code'],
  ['application/xml', 'code'],
  ['text/xml', 'code'],
])

/** The format of a text file by its name, or else by its media type. */
export function textFormatByName(name: string, mediaType: string | undefined): Format | undefined {
  const file = name.toLowerCase().split(/[/\\]/).at(-1) ?? ''
  const extension = file.includes('.') ? file.split('.').at(-1) : file
  const type = mediaType?.toLowerCase().split(';')[0]?.trim()
  return extensions.get(extension ?? '') ?? textMediaTypes.get(type ?? '')
}
