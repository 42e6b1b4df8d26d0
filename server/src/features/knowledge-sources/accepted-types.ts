import { defaultLimits, type Format, mediaTypes, textFormatByName } from '@parley/documents'
import { mebibyte } from '../../kernel/http/app.ts'
import type { Configuration } from './schema.ts'

const defaultFileSize = 50 * mebibyte

export const mostBytesOf = (configuration: Configuration): number =>
  Math.min(configuration.max_file_size ?? defaultFileSize, defaultLimits.fileBytes)

const extensionOf = (name: string): string => name.toLowerCase().split('.').at(-1) ?? ''
const plainType = (type: string): string => type.toLowerCase().replace(/^\./, '')

/** The format that a file type such as `pdf`, `htm` or `py` means. */
const formatOfType = (type: string): Format | undefined =>
  type in mediaTypes ? (type as Format) : textFormatByName(`x.${type}`, undefined)

/** Whether files of such a type can be read at all. */
export const isKnownType = (type: string): boolean => formatOfType(plainType(type)) !== undefined
export const knownTypes = Object.keys(mediaTypes)

/** Whether the settings take a file of this format; kinds of source code are told apart by name. */
export function accepts({ file_types: types }: Configuration, format: Format, name: string): boolean {
  if (types === undefined || types.length === 0) return true
  return types
    .map(plainType)
    .some(
      (type) => formatOfType(type) === format && (format !== 'code' || type === 'code' || type === extensionOf(name)),
    )
}

/** Whether a file may be worth reading, by its name alone. */
export function mayAccept(configuration: Configuration, name: string): boolean {
  const extension = extensionOf(name)
  const format = name.includes('.') ? formatOfType(extension) : undefined
  return format !== undefined && accepts(configuration, format, name)
}

export const acceptedTypes = ({ file_types: types }: Configuration): string =>
  types?.length ? types.map(plainType).join(', ') : 'every type that can be read'
