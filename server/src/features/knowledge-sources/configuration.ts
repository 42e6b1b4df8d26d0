import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { isKnownType, knownTypes } from './file-types.ts'
import type { Configuration, SourceType } from './schema.ts'

const allowedSettings: Record<SourceType, readonly (keyof Configuration)[]> = {
  file: ['file_types', 'max_file_size', 'include_hidden', 'ocr_languages'],
  text: ['documents'],
  web: ['urls', 'sitemap', 'max_pages', 'max_depth', 'include_hidden', 'ocr_languages'],
  directory: ['path', 'file_types', 'max_file_size', 'include_hidden', 'ocr_languages'],
}

/** Checks the configuration against the type of the source. Its shape has been validated before. */
export async function checkConfiguration(ctx: Context, type: SourceType, configuration: Configuration): Promise<void> {
  for (const name of Object.keys(configuration)) {
    if (!(allowedSettings[type] as readonly string[]).includes(name)) {
      invalid(
        `configuration.${name}`,
        `is not a setting of sources of type ${type}; they have ${allowedSettings[type].join(', ')}`,
      )
    }
  }
  const unknown = configuration.file_types?.findIndex((each) => !isKnownType(each)) ?? -1
  if (unknown >= 0) {
    const supported = `supported are ${knownTypes.join(', ')} and extensions of text and source code, such as py`
    invalid(`configuration.file_types[${unknown}]`, `is not a supported type; ${supported}`)
  }
  if (type === 'web') checkUrls(ctx, configuration)
  if (type === 'directory') await checkDirectory(ctx, configuration)
}

function checkUrls(ctx: Context, { urls = [], sitemap }: Configuration): void {
  if (urls.length === 0 && !sitemap)
    invalid('configuration.urls', 'must have at least one URL, unless there is a sitemap')
  for (const [index, url] of urls.entries()) checkUrl(ctx, `configuration.urls[${index}]`, url)
  if (sitemap) checkUrl(ctx, 'configuration.sitemap', sitemap)
}

function checkUrl(ctx: Context, path: string, url: string): void {
  if (!URL.canParse(url)) invalid(path, 'must be an http or https URL')
  try {
    ctx.egress.check(url)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, `${path}: ${error.message}`, { details: [{ path, message: error.message }] })
  }
}

async function checkDirectory(ctx: Context, { path }: Configuration): Promise<void> {
  if (ctx.config.directoryRoots.length === 0) {
    invalid('type', 'directory is not enabled; an operator must list allowed folders in DIRECTORY_ROOTS')
  }
  if (path === undefined) invalid('configuration.path', 'is required')
  if ((await findDirectory(ctx.config.directoryRoots, path)) === null) {
    invalid('configuration.path', 'is not a folder below one that the operator allows (DIRECTORY_ROOTS)')
  }
}

/**
 * The real path of a folder below an allowed root, with symbolic links resolved. Returns null both for other folders and
 * for missing ones, so that callers cannot probe the disk.
 */
export async function findDirectory(roots: readonly string[], path: string): Promise<string | null> {
  if (path.includes('\0')) return null
  for (const root of roots) {
    try {
      const [folder, allowed] = await Promise.all([realpath(resolve(root, path)), realpath(root)])
      if (isInside(folder, allowed) && (await stat(folder)).isDirectory()) return folder
    } catch {
      // it does not exist below this root
    }
  }
  return null
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
