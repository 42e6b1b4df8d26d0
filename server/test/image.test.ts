import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { contextFiles, copiedFromContext, readInstructions } from './architecture/deploy/dockerfile.ts'
import { root } from './architecture/deploy/files.ts'
import { folderOfTest } from './folder.ts'
import { startProcess } from './process.ts'

/** Builds the stages of the Dockerfile in folders, without Docker. Returns the folder that becomes `/app`. */
function buildImage(): string {
  const parent = folderOfTest()
  const sent = contextFiles().filter((path) => lstatSync(join(root, path)).isFile())
  const stages = new Map<string, string>()
  let stage = ''
  for (const instruction of readInstructions()) {
    const { name, value } = instruction
    const copied = copiedFromContext(instruction)
    if (name === 'FROM') {
      const [from = '', , as = 'image'] = value.split(' ')
      stage = join(parent, as)
      mkdirSync(stage)
      const base = stages.get(from)
      if (base) copyAll(base, stage)
      stages.set(as, stage)
    } else if (copied) {
      for (const source of copied.sources) copyFromContext(sent, source, join(stage, copied.target))
    } else if (name === 'COPY') {
      const [, from = '', path = '', target = ''] = /^--from=(\w+) \/app(\S*) (\S+)$/.exec(value) ?? []
      copyAll(join(stages.get(from) ?? '', path), join(stage, target))
    } else if (name === 'RUN' && !value.startsWith('apt-get')) {
      const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
      const env = { ...process.env, PATH, npm_config_prefer_offline: 'true' }
      execFileSync('sh', ['-e', '-c', value], { cwd: stage, env, stdio: 'pipe' })
    }
  }
  return stage
}

/** A file is copied to the target, or into it if that is a folder; of a folder, its content. */
function copyFromContext(sent: string[], source: string, target: string): void {
  const isFolder = lstatSync(join(root, source)).isDirectory()
  const to = (path: string) => {
    if (isFolder) return join(target, path.slice(source.length))
    return target.endsWith('/') ? join(target, path.split('/').at(-1) ?? '') : target
  }
  for (const path of sent.filter((each) => each === source || each.startsWith(`${source}/`)))
    cpSync(join(root, path), to(path))
}

/** Hard links, because the dependencies are large. */
function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  execFileSync('cp', ['--archive', '--link', '--force', `${resolve(from)}/.`, resolve(to)])
}

it('the image of the Dockerfile starts, is healthy and has the console, the documentation and the command line', async () => {
  const app = buildImage()
  const service = startProcess(
    { DATA_DIR: folderOfTest(), NODE_ENV: 'production' },
    { file: join(app, 'bin/parley.js') },
  )
  const url = await service.address
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`)
    return [response.status, await response.text()] as const
  }
  expect(await get('/api/health')).toEqual([200, expect.stringContaining('"healthy"')])
  expect(await get('/')).toEqual([200, expect.stringContaining('<script')])
  expect(await get('/docs')).toEqual([200, expect.stringContaining('Parley')])
  const help = execFileSync(process.execPath, [join(app, 'bin/parley.js'), '--help'], { encoding: 'utf8' })
  expect(help).toContain('doctor')
})
