export const longestAddress = 2000
const unreserved = /[A-Za-z0-9\-._~]/
const trackingParameter = /^(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_cid|mc_eid|_ga|_gl)(?:=|$)/i

/**
 * One form for one page: no fragment, no empty query, no parameters that only track where a reader came from, no dot
 * behind the host, escapes only where they are needed. Null for what is not a page on the web.
 */
export function pageAddress(href: string, base?: string): URL | null {
  const trimmed = href.trim()
  if (trimmed.length > longestAddress || !URL.canParse(trimmed, base)) return null
  const url = new URL(trimmed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.hash = ''
  url.hostname = url.hostname.replace(/\.+$/, '')
  url.pathname = plainEscapes(url.pathname)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !trackingParameter.test(part))
  url.search = kept.length === 0 ? '' : `?${plainEscapes(kept.join('&'))}`
  return url.href.length > longestAddress ? null : url
}

/** Percent escapes of characters that need none are undone, the others written in capitals. */
export function plainEscapes(text: string): string {
  const plain = text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return unreserved.test(character) ? character : code.toUpperCase()
  })
  return plain === text ? text : plainEscapes(plain) // a stray percent sign may have found its digits
}

/** What two addresses of one site have in common: http and https, with and without www, are the same site. */
export function siteOf(url: URL): string {
  return `${url.hostname.replace(/^www\./, '')}:${url.port}`
}

const neverPages = new Set(
  (
    'png jpg jpeg gif webp avif svg ico bmp tif tiff mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv wav flac zip gz tgz bz2 xz 7z rar ' +
    'tar dmg exe msi deb rpm apk iso img jar woff woff2 ttf otf eot css js mjs map wasm bin swf doc xls ppt psd ai eps'
  ).split(' '),
)

/** Whether an address could be a page or a document, going by its ending alone. */
export function mayBePage(url: URL): boolean {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(url.pathname)?.[1]
  return ending === undefined || !neverPages.has(ending.toLowerCase())
}
