import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { resolveConnection } from '../src/connection.ts'
import { connected, parley } from './terminal.ts'

it('lists agents as a table that fits the terminal, or as JSON', async () => {
  const service = await startService()
  await service.post('/agents', { name: 'Billing', description: 'Invoices' })
  await service.post('/agents', { name: `Support ${'for everybody '.repeat(10)}` })
  const environment = connected(service)

  const { out, code } = await parley(['agents', 'list'], { environment })
  expect(code).toBe(0)
  const [titles = '', ...lines] = out.trimEnd().split('\n')
  expect(titles).toMatch(/^ID +NAME +MODEL +TOOLS +CREATED +DESCRIPTION$/)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line.indexOf('default')).toBe(titles.indexOf('MODEL'))

  const narrow = await parley(['agents', 'list'], { environment: { ...environment, NO_COLOR: '1' }, columns: 70 })
  expect(narrow.out).toContain('…')
  for (const line of narrow.out.split('\n')) expect(line.length).toBeLessThanOrEqual(70)

  const json = await parley(['agents', 'list', '--query', 'Billing', '--json'], { environment })
  expect(JSON.parse(json.out)).toMatchObject([{ name: 'Billing', description: 'Invoices' }])
})

it('prints text of the service without control characters', async () => {
  const service = await startService()
  const name = 'Evil\u001b]0;owned\u0007\u001b[2J\u009b31m\r\u202eeman'
  await service.post('/agents', { name })
  const environment = connected(service)
  const shown = await parley(['agents', 'list'], { environment, columns: 200 })
  expect(shown.out).toContain('Evil]0;owned[2J31m eman')
  expect(shown.out.replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', '')).not.toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
  )
  const json = await parley(['agents', 'list', '--json'], { environment })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  expect(json.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(JSON.parse(json.out)[0].name).toBe(name)
})

describe('errors', () => {
  it('say what to do, with exit code 1 for failures and 2 for wrong usage', async () => {
    const { url } = await startService()
    const refused = await parley(['agents', 'list'], { environment: { PARLEY_URL: url, PARLEY_TOKEN: 'wrong' } })
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(/^Error: .*\(invalid_token\)\nWhat to do: .*parley login.*\nRequest: /)
    const json = await parley(['agents', 'list', '--json', '--url', url, '--token', 'wrong'])
    expect(JSON.parse(json.err).error).toMatchObject({ code: 'invalid_token', hint: expect.any(String) })

    const wrong: [string[], RegExp][] = [
      [['agnets', 'list'], /Unknown command 'agnets'. Did you mean agents\?/],
      [['agents', 'lsit'], /Unknown command 'lsit'. Did you mean list\?/],
      [['agents', 'list', '--jsno'], /Unknown option '--jsno'. Did you mean --json\?/],
      [['agents', 'list', 'x'], /Too many arguments for 'list'. Expected 0 arguments but got 1: x/],
      [['agents', 'list', '--limit', '0'], /--limit must be/],
      [['agents', 'list', '--url', 'ftp://x'], /must start with http/],
      [['profile', 'use'], /Missing required argument 'name'/],
      [['--url', url], /Name a command/],
      [['agents', '--json'], /Name a command: parley agents list/],
    ]
    for (const [argv, message] of wrong) {
      const { code, err } = await parley(argv)
      expect([argv, code, err]).toEqual([argv, 2, expect.stringMatching(message)])
    }
  })
})

describe('help', () => {
  it('shows all commands, and the options and examples of each', async () => {
    const { out, code } = await parley(['--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/Commands\n {2}serve +Start the service/)
    for (const argv of [
      ['help', 'agents', 'list'],
      ['agents', 'list', '-h'],
      ['--url', 'http://x', 'agents', 'list', '--help'],
    ]) {
      expect((await parley(argv)).out).toMatch(/parley agents list \[options\][\s\S]*Examples\n {2}parley agents list/)
    }
    expect((await parley(['profile'])).out).toContain('profile use <name>')
    expect((await parley(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('profiles', () => {
  it('login checks the token of stdin and saves it in a file that only its owner can read', async () => {
    const { url, token } = await startService()
    const environment = { XDG_CONFIG_HOME: folderOfTest() }
    const file = join(environment.XDG_CONFIG_HOME, 'parley/profiles.json')
    const wrong = await parley(['login', '--url', url], { environment, stdin: 'wrong' })
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('invalid_token') })
    const { code, out } = await parley(['login', '--url', url], { environment, stdin: `${token}\n` })
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Signed in to http.* as owner of workspace test .*"default"/),
    ])
    expect(out).not.toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.default).toEqual({ url, token })
    expect((await parley(['agents', 'list', '--json'], { environment })).out).toBe('[]\n')

    await parley(['login', '--url', url, '--profile', 'two'], { environment, stdin: token })
    await parley(['profile', 'use', 'default'], { environment })
    const list = await parley(['profile', 'list', '--json'], { environment })
    expect(JSON.parse(list.out)).toMatchObject([
      { name: 'default', current: true, token_set: true },
      { name: 'two', current: false },
    ])
    await parley(['profile', 'delete', 'two'], { environment })
    const gone = await parley(['agents', 'list', '--profile', 'two'], { environment })
    expect([gone.code, gone.err]).toEqual([
      1,
      expect.stringMatching(/no profile "two"[\s\S]*parley login --profile two/),
    ])

    chmodSync(file, 0o644)
    const open = await parley(['agents', 'list'], { environment })
    expect([open.code, open.err]).toEqual([
      1,
      expect.stringMatching(/other users .* may read it \(mode 644\)[\s\S]*chmod 600/),
    ])
  })

  it('flags come before the environment, then the profile; a token goes only where it belongs', async () => {
    const { url, token } = await startService()
    const environment = { XDG_CONFIG_HOME: folderOfTest(), DATA_DIR: folderOfTest() }
    await parley(['login', '--url', url], { environment, stdin: token })
    const resolved = (flags: object, more: object = {}) => {
      const { url, token } = resolveConnection(flags, { ...environment, ...more })
      return [url, token]
    }
    const other = 'https://elsewhere.example.com'
    expect(resolved({})).toEqual([url, token])
    expect(resolved({ url: other })).toEqual([other, null])
    expect(resolved({ url: other }, { PARLEY_TOKEN: 'env' })).toEqual([other, 'env'])
    expect(resolved({}, { PARLEY_URL: other, PARLEY_TOKEN: 'env' })).toEqual([other, 'env'])
    expect(resolved({ token: 'flag' }, { PARLEY_URL: other, PARLEY_TOKEN: 'env' })).toEqual([other, 'flag'])
    expect(resolved({ profile: 'default' }, { PARLEY_URL: other, PARLEY_TOKEN: 'env' })).toEqual([url, token])
    expect(resolveConnection({}, { HOME: folderOfTest(), DATA_DIR: environment.DATA_DIR })).toMatchObject({
      url: 'http://127.0.0.1:3000',
      token: null,
    })
  })
})
