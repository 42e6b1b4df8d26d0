import { Download } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { tellError } from '../../ui/toasts.tsx'
import type { Asked } from './runs.ts'

/** Hands a file over to the browser. The token goes in a header, so a plain link would not do. */
async function download(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export function Export({ id, run, outcome }: { id: string; run: string; outcome: Asked['outcome'] }) {
  const save = async (format: 'csv' | 'jsonl') => {
    try {
      const response = await parley.evaluations.exportResults(id, { format, run_id: run, outcome })
      await download(response, `${run}.${format}`)
    } catch (error) {
      tellError(error)
    }
  }
  return (
    <Menu
      trigger={
        <>
          <Download aria-hidden size={16} />
          Export
        </>
      }
      render={<Button />}
    >
      <MenuItem onClick={() => void save('csv')}>CSV, for a spreadsheet</MenuItem>
      <MenuItem onClick={() => void save('jsonl')}>JSON Lines, for a program</MenuItem>
    </Menu>
  )
}
