import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { folderOfTest } from '../../server/test/folder.ts'
import { mayCallLoopback } from '../../server/test/scripted-api.ts'
import { stage } from '../../server/test/stage.ts'
import { connected, parley } from './terminal.ts'

const question = 'Is 1 < 2 & "so" on?\u0001'

it('runs an evaluation, prints the results, gates by exit code and writes JUnit', async () => {
  const here = await stage(({ body }) => {
    const { content } = (body.messages as { content: string }[]).at(-1) ?? { content: '' }
    return content === question ? { deltas: ['<no>'] } : { deltas: ['Yes'] }
  }, mayCallLoopback)
  const environment = connected(here)
  const folder = folderOfTest()
  const { create } = evaluating(here)
  const test_cases = [
    { input: 'Is it?', expected_output: 'Yes' },
    { input: question, expected_output: 'Yes' },
  ]
  await create({
    name: 'Regression',
    type: 'agent',
    target_id: here.agent,
    test_cases,
    scorers: [{ type: 'exact_match' }],
  })
  const run = (...more: string[]) => parley(['eval', 'run', 'Regression', ...more], { environment, folder })

  const plain = await run()
  expect(plain.code).toBe(0)
  expect(plain.out).toMatch(
    /CASE +RESULT +SCORES +MS +INPUT +REASON\n +1 +passed +exact_match 1 .*Is it\?.*\n +2 +failed +exact_match 0/,
  )
  expect(plain.out).toMatch(/1 of 2 passed \(50 %, 95 % interval .*\), 0 errors/)
  expect(plain.out).not.toContain('Gate')

  const failed = await run('--gate', '--junit', 'results.xml', '--compare-to', 'previous')
  expect(failed.code).toBe(1)
  expect(failed.out).toMatch(
    /Compared with run_\w+: 50 % → 50 %, 0 fixed, 0 broken\nGate failed: the pass rate 0\.5 is below 1\n$/,
  )
  const passed = await run('--gate', '--threshold', '0.5', '--json')
  expect(passed.code).toBe(0)
  expect(JSON.parse(passed.out)).toMatchObject({
    gate: { passed: true },
    summary: { passed: 1, failed: 1 },
    results: [{}, {}],
  })

  const xml = readFileSync(join(folder, 'results.xml'), 'utf8')
  expect(XMLValidator.validate(xml)).toBe(true)
  const parsed = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'testcase',
  }).parse(xml)
  const counts = { name: 'Regression', tests: '2', failures: '1', errors: '0' }
  expect(parsed.testsuites).toMatchObject(counts)
  const { testsuite } = parsed.testsuites
  expect(testsuite).toMatchObject({ ...counts, skipped: '0', time: expect.stringMatching(/^\d+\.\d{3}$/) })
  expect(testsuite.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  expect(testsuite.testcase).toHaveLength(2)
  expect(testsuite.testcase[0]).toEqual({ classname: 'Regression', name: '1. Is it?', time: expect.any(String) })
  expect(testsuite.testcase[1]).toMatchObject({
    name: '2. Is 1 < 2 & "so" on?\ufffd',
    failure: { message: expect.stringContaining('exact_match 0'), '#text': expect.stringContaining('Actual: <no>') },
  })

  const wrong: [string[], number, RegExp][] = [
    [['--threshold', '0.5'], 2, /--threshold needs --gate/],
    [['--gate', '--threshold', '90'], 2, /must be from 0 to 1/],
    [['--compare-to', 'run_01k9z8q4m6e3v7t2w5x8y1a4bc'], 1, /not_found/],
  ]
  for (const [more, code, message] of wrong) {
    const outcome = await run(...more)
    expect([more, outcome.code, outcome.err]).toEqual([more, code, expect.stringMatching(message)])
  }
  expect((await parley(['eval', 'list'], { environment })).out).toMatch(/Regression +agent +2 /)
})

it('says so if the runs that it compares have no cases in common', async () => {
  const here = await stage(() => ({ deltas: ['Yes'] }), mayCallLoopback)
  const environment = connected(here)
  const evaluation = await evaluating(here).create({
    name: 'Changed',
    type: 'agent',
    target_id: here.agent,
    test_cases: [{ input: 'Before?', expected_output: 'Yes' }],
    scorers: [{ type: 'exact_match' }],
  })
  const run = () => parley(['eval', 'run', 'Changed', '--compare-to', 'previous'], { environment })
  expect((await run()).code).toBe(0)
  await here.put(`/evaluations/${evaluation}`, { test_cases: [{ input: 'After?', expected_output: 'Yes' }] })
  const { code, out } = await run()
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/\nNot compared with run_\w+: the runs have no cases in common\n$/),
  ])
  expect(out).not.toContain('→')
})
