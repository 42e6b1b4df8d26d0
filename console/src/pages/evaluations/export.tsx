import { Download } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { saveAs } from '../../api/save-as.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { ResultQuery } from './runs.ts'

export function Export({ id, run, outcome }: { id: string; run: string; outcome: ResultQuery['outcome'] }) {
  const save = async (format: 'csv' | 'jsonl') => {
    try {
      const response = await parley.evaluations.exportResults(id, { format, run_id: run, outcome })
      await saveAs(response, `${run}.${format}`)
    } catch (error) {
      showError(error)
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
      <MenuItem onClick={() => void save('csv')}>CSV</MenuItem>
      <MenuItem onClick={() => void save('jsonl')}>JSON Lines</MenuItem>
    </Menu>
  )
}
