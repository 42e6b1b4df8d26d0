import { Download } from 'lucide-react'
import { saveAs } from '../api/save-as.ts'
import { Button } from '../ui/button.tsx'
import { csv } from '../ui/csv.ts'

interface ExportCsvProps {
  /** The name of the file. */
  name: string
  rows: () => (string | number | null)[][]
}

/** Saves what a page shows as a table for spreadsheets. */
export const ExportCsv = ({ name, rows }: ExportCsvProps) => (
  <Button
    icon={Download}
    onClick={() => void saveAs(new Response(csv(rows()), { headers: { 'content-type': 'text/csv' } }), name)}
  >
    Export CSV
  </Button>
)
