import { expect, it } from 'vitest'
import { openBrowser } from '../../server/test/browser.ts'
import { freePort } from '../../server/test/services/free-port.ts'
import { stage } from '../../server/test/stage.ts'
import { start } from './run.ts'

it('use-chat shows a streamed reply in a browser that has no token', async () => {
  const here = await stage({ deltas: ['Good', ' day'] }, undefined, { name: 'Parley guide' })
  const port = await freePort()
  const { output } = start(here, 'use-chat', { environment: { PORT: String(port) } })
  await expect.poll(output).toContain(`http://localhost:${port}/`)
  const page = await (await openBrowser()).newPage()
  const authorized: string[] = []
  page.on('request', (request) => void (request.headers().authorization && authorized.push(request.url())))
  await page.goto(`http://localhost:${port}/`)
  await page.getByLabel('Message').fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('assistant: Good day').waitFor()
  expect(here.told(0).at(-1)).toBe('Hello')
  expect(authorized).toEqual([])
  const { data } = (await here.get('/conversations')).body
  expect(data).toMatchObject([{ user_id: 'ada' }])
})
