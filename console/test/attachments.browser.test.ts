import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { png } from '../../server/test/attachments.ts'
import type { Json } from '../../server/test/harness.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import { stagedWorkspace } from './console.ts'

const picture = { name: 'cat.png', mimeType: 'image/png', buffer: png(64, 48) }
const field = (page: Page) => page.getByLabel('Message', { exact: true })
const pending = (page: Page) => page.locator('.composer').getByRole('list', { name: 'Attachments' })
const sent = (page: Page) => page.getByRole('log').getByRole('list', { name: 'Attachments' })

/** Gives the page a file as a drop or a paste does. */
const give = (page: Page, type: 'drop' | 'paste', name: string, text: string) =>
  page.evaluate(
    `(() => {
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }))
      const target = document.querySelector('textarea[aria-label="Message"]')
      const options = { bubbles: true, cancelable: true }
      target.dispatchEvent(${type === 'drop' ? "new DragEvent('drop', { ...options, dataTransfer: data })" : "new ClipboardEvent('paste', { ...options, clipboardData: data })"})
    })()`,
  )

it('picks, drops and pastes files, cancels an upload, and shows what was sent', async () => {
  const here = await stagedWorkspace({ deltas: ['A cat and two notes.'] })
  await here.put(`/models/${here.model}`, { input_modalities: ['text', 'image'] })
  const token = await here.tokenFor('user', { user_id: 'ada' })
  const { page, problems } = await here.open('/', { token, viewport: { width: 1280, height: 800 } })
  await page.getByLabel('Files', { exact: true }).setInputFiles([picture])
  await give(page, 'drop', 'dropped.txt', 'A dropped note')
  await give(page, 'paste', 'pasted.txt', 'A pasted note')
  await expect.poll(() => pending(page).getByRole('listitem').count()).toBe(3)
  await expect.poll(() => pending(page).getByText('Uploading…').or(pending(page).getByText('Reading…')).count()).toBe(0)
  await expect.poll(() => pending(page).locator('img').count()).toBe(1)

  // A file that cannot be used shows the reason and is not sent.
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles([{ ...picture, name: 'none.png', buffer: Buffer.from('x') }])
  await pending(page)
    .getByText(/none\.png is not an image/)
    .waitFor()
  await field(page).fill('What is this?')
  await expect.poll(() => page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  await expectAccessibleInBothThemes(page, 'composer', { within: '.composer' })
  await page.getByRole('button', { name: 'Remove none.png' }).click()

  // A slow upload can be cancelled.
  await page.route('**/api/files', () => new Promise(() => {}))
  await page.getByLabel('Files', { exact: true }).setInputFiles([{ ...picture, name: 'slow.png' }])
  await page.getByRole('button', { name: 'Cancel upload of slow.png' }).click()
  await page.unroute('**/api/files')
  await expect.poll(() => pending(page).getByRole('listitem').count()).toBe(3)

  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('A cat and two notes.').waitFor()
  await expect.poll(() => pending(page).count()).toBe(0)
  await sent(page).getByRole('img', { name: 'cat.png' }).waitFor()
  await sent(page)
    .getByRole('button', { name: /^dropped\.txt/ })
    .waitFor()
  const asked = (request: number): Json =>
    (here.provider.requests[request]?.body.messages as Json[] | undefined)?.at(-1)
  expect(asked(0).content.map(({ type }: Json) => type)).toEqual(['text', 'text', 'image_url', 'text'])
  await page.reload()
  await expect
    .poll(() =>
      sent(page)
        .getByRole('img')
        .evaluateAll((all) => all.map((each) => (each as unknown as { naturalWidth: number }).naturalWidth)),
    )
    .toEqual([64])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sent(page)
      .getByRole('button', { name: /^pasted\.txt/ })
      .click(),
  ])
  expect(download.suggestedFilename()).toBe('pasted.txt')
  await expectAccessible(page, 'sent message', { within: '[role=log]' })

  // An edited message keeps its files.
  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('What are these?')
  await page.keyboard.press('Enter')
  await page.getByText('2 / 2').waitFor()
  await expect.poll(() => [asked(1)?.content.length, asked(1)?.content.at(-1).text]).toEqual([4, 'What are these?'])

  // Enter while a file is being read waits for it.
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/files', (route) => isHeld.then(() => route.continue()))
  await give(page, 'paste', 'late.txt', 'A late note')
  await field(page).fill('And this?')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  release()
  await page.getByText('A cat and two notes.').nth(1).waitFor()
  await sent(page).getByText('late.txt').waitFor()
  expect(problems).toEqual([expect.stringContaining('400 (Bad Request)')]) // none.png
})
