import { type Format, isImage, mediaTypes, textFormatByName } from '@parley/documents'
import { mebibyte } from '../../kernel/http/app.ts'
import type { Configuration } from './schema.ts'

const defaultFileSize = 50 * mebibyte

export const maxFileSize = (configuration: Configuration): number => configuration.max_file_size ?? defaultFileSize

const fileExtension = (name: string): string => name.toLowerCase().split('.').at(-1) ?? ''
const normalized = (type: string): string => type.toLowerCase().replace(/^\./, '')

/** The format of a file type such as `pdf`, `htm` or `py`. */
const formatOfType = (type: string): Format | undefined =>
  Object.hasOwn(mediaTypes, type)
    ? (type as Format)
    : (otherNames.get(type) ?? textFormatByName(`x.${type}`, undefined))

const otherNames = new Map<string, Format>([
  ['jpeg', 'jpg'],
  ['tif', 'tiff'],
])

/** Whether files of this type can be parsed. */
export const isKnownType = (type: string): boolean => formatOfType(normalized(type)) !== undefined
export const knownTypes = Object.keys(mediaTypes)

/** Whether the source accepts a file of this format. Source code is distinguished by the extension. */
export function accepts({ file_types: types }: Configuration, format: Format, name: string): boolean {
  if (types === undefined || types.length === 0) return true
  return types
    .map(normalized)
    .some(
      (type) => formatOfType(type) === format && (format !== 'code' || type === 'code' || type === fileExtension(name)),
    )
}

/** Whether the source may accept a file, judged by its name alone. */
export function mayAccept(configuration: Configuration, name: string): boolean {
  const format = formatByName(name)
  return format !== undefined && accepts(configuration, format, name)
}

/** Folders are full of images without text, such as logos: they are read only if the source names their type. */
export const mayAcceptInFolder = (configuration: Configuration, name: string): boolean =>
  mayAccept(configuration, name) && (Boolean(configuration.file_types?.length) || !isImage(formatByName(name) ?? 'txt'))

const formatByName = (name: string): Format | undefined =>
  name.includes('.') ? formatOfType(fileExtension(name)) : undefined

export const acceptedTypes = ({ file_types: types }: Configuration): string =>
  types?.length ? types.map(normalized).join(', ') : 'all supported types'
