export const maxUrlLength = 2000
const unreserved = /[A-Za-z0-9\-._~]/
const trackingParameter = /^(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_cid|mc_eid|_ga|_gl)(?:=|$)/i

/**
 * Returns the same URL for all spellings of a page: without fragment, empty query, tracking parameters, a dot after the
 * host and unnecessary escapes. Returns null for anything but http and https.
 */
export function normalizeUrl(href: string, base?: string): URL | null {
  const trimmed = href.trim()
  if (trimmed.length > maxUrlLength || !URL.canParse(trimmed, base)) return null
  const url = new URL(trimmed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.hash = ''
  url.hostname = url.hostname.replace(/\.+$/, '')
  url.pathname = normalizeEscapes(url.pathname)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !trackingParameter.test(part))
  url.search = kept.length === 0 ? '' : `?${normalizeEscapes(kept.join('&'))}`
  return url.href.length > maxUrlLength ? null : url
}

/** Decodes unnecessary percent escapes and writes the others in upper case. */
export function normalizeEscapes(text: string): string {
  const plain = text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return unreserved.test(character) ? character : code.toUpperCase()
  })
  return plain === text ? text : normalizeEscapes(plain) // decoding may complete another escape
}

/** Equal for all URLs of a site: the scheme and `www.` make no difference. */
export function siteKey(url: URL): string {
  return `${url.hostname.replace(/^www\./, '')}:${url.port}`
}

const nonPageExtensions = new Set(
  (
    'png jpg jpeg gif webp avif svg ico bmp tif tiff mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv wav flac zip gz tgz bz2 xz 7z rar ' +
    'tar dmg exe msi deb rpm apk iso img jar woff woff2 ttf otf eot css js mjs map wasm bin swf doc xls ppt psd ai eps'
  ).split(' '),
)

/** Whether a URL may be a page or a document, by its extension. */
export function mayBePage(url: URL): boolean {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(url.pathname)?.[1]
  return extension === undefined || !nonPageExtensions.has(extension.toLowerCase())
}
