/** A file name for the `Content-Disposition` header (RFC 6266). */
export const formatDisposition = (type: 'inline' | 'attachment', name: string): string =>
  `${type}; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`
