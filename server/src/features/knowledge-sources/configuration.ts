import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { isKnownType, knownTypes } from './accepted-types.ts'
import type { Configuration, SourceType } from './schema.ts'

const settingsOf: Record<SourceType, readonly (keyof Configuration)[]> = {
  file: ['file_types', 'max_file_size'],
  text: ['documents'],
  web: ['urls', 'sitemap', 'max_pages', 'max_depth'],
  directory: ['path', 'file_types', 'max_file_size'],
}

/** Checks the settings of a source, whose shape is known to be right, for its type. */
export async function checkConfiguration(ctx: Context, type: SourceType, configuration: Configuration): Promise<void> {
  for (const name of Object.keys(configuration)) {
    if (!(settingsOf[type] as readonly string[]).includes(name)) {
      invalid(
        `configuration.${name}`,
        `is not a setting of a source of type ${type}; it has ${settingsOf[type].join(', ')}`,
      )
    }
  }
  const unknown = configuration.file_types?.findIndex((each) => !isKnownType(each)) ?? -1
  if (unknown >= 0) {
    const known = `known are ${knownTypes.join(', ')} and the endings of text and source code, as in py`
    invalid(`configuration.file_types[${unknown}]`, `is not a type that can be read; ${known}`)
  }
  if (type === 'web') checkAddresses(ctx, configuration)
  if (type === 'directory') await checkDirectory(ctx, configuration)
}

function checkAddresses(ctx: Context, { urls = [], sitemap }: Configuration): void {
  if (urls.length === 0 && !sitemap) invalid('configuration.urls', 'must name at least one address, or give a sitemap')
  for (const [index, url] of urls.entries()) checkAddress(ctx, `configuration.urls[${index}]`, url)
  if (sitemap) checkAddress(ctx, 'configuration.sitemap', sitemap)
}

function checkAddress(ctx: Context, path: string, address: string): void {
  if (!URL.canParse(address)) invalid(path, 'must be an http or https address')
  try {
    ctx.egress.check(address)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, `${path}: ${error.message}`, { details: [{ path, message: error.message }] })
  }
}

async function checkDirectory(ctx: Context, { path }: Configuration): Promise<void> {
  if (ctx.config.directoryRoots.length === 0) {
    invalid('type', 'directory is not allowed here: an operator must name folders in DIRECTORY_ROOTS')
  }
  if (path === undefined) invalid('configuration.path', 'is required')
  if ((await findDirectory(ctx.config.directoryRoots, path)) === null) {
    invalid('configuration.path', 'is not a folder below one that the operator allows (DIRECTORY_ROOTS)')
  }
}

/**
 * The real place of a folder, if it is one and lies below an allowed root with every link in its path followed. What
 * lies elsewhere and what does not exist look the same, so that nobody can feel their way around the disk.
 */
export async function findDirectory(roots: readonly string[], path: string): Promise<string | null> {
  if (path.includes('\0')) return null
  for (const root of roots) {
    try {
      const [place, top] = await Promise.all([realpath(resolve(root, path)), realpath(root)])
      if (isInside(place, top) && (await stat(place)).isDirectory()) return place
    } catch {
      // not there: another root may have it
    }
  }
  return null
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
