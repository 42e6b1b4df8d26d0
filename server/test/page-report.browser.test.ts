import { existsSync, readFileSync, rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openBrowser } from './browser.ts'
import { takeFailureNotes } from './failure-notes.ts'
import { reportPages } from './page-report.ts'

it('a report of a failed test has a picture, the text and the console of each page', async () => {
  const context = await openBrowser()
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.setContent('<p>Hello</p><script>console.info("It is so")</script>')
  const thrown = second.waitForEvent('pageerror')
  await second.evaluate('setTimeout(() => { throw new Error("Oh no") })')
  await thrown
  takeFailureNotes()
  const folder = await reportPages(context.pages(), 'a/file.test.ts: “a test”')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  expect(folder).toMatch(/\/test-results\/a-file-test-ts-a-test-$/)
  const notes = takeFailureNotes()
  expect(notes[0]).toMatch(/^about:blank .*page-1\.png.*\ninfo: It is so\n.*\n.*Hello$/)
  expect(notes[1]).toContain('uncaught: Error: Oh no')
  expect(readFileSync(`${folder}/page-2.txt`, 'utf8')).toBe(`${notes[1]}\n`)
  for (const name of ['page-1.png', 'page-2.png']) expect(existsSync(`${folder}/${name}`)).toBe(true)
  expect(takeFailureNotes()).toEqual([])
})
