import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Entry {
  engines?: unknown
}

const file = new URL('../../../package-lock.json', import.meta.url)
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }
const dependencies = Object.keys(packages).filter((path) => path.includes('node_modules/'))

describe('package-lock.json', () => {
  it('causes no engine warnings; "npm run lockfile" removes the field', () => {
    expect(dependencies.filter((path) => packages[path]?.engines !== undefined)).toEqual([])
  })

  it.each([
    ['node-', ['darwin-x64', 'linux-arm64', 'linux-x64']],
    ['@biomejs/cli-', ['linux-arm64', 'linux-x64']],
    ['@rolldown/binding-', ['linux-arm64-gnu', 'linux-x64-gnu']],
    ['lightningcss-', ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-x64-gnu']],
    ['@typescript/typescript-', ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']],
  ])('has %s* for other platforms too', (name, platforms) => {
    expect(dependencies).toEqual(expect.arrayContaining(platforms.map((platform) => `node_modules/${name}${platform}`)))
  })
})
