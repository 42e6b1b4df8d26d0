import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { JobStatus, Receipt, type UserJob } from './job.tsx'

/** The receipts of erasures: all that is left of the people. */
export function Erasures() {
  const [shown, setShown] = useState<UserJob | null>(null)
  const jobs = useQuery({
    queryKey: ['user-jobs', 'erasures'],
    queryFn: ({ signal }) => parley.users.jobs.list({ kind: 'erase', limit: 20 }, { signal }).page(),
  })
  if (!jobs.data || jobs.data.data.length === 0) return null
  return (
    <Card title="Erased people">
      <Table
        label="Erased people"
        rows={jobs.data.data}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Reference', cell: ({ subject }) => <code className="small">{subject}</code> },
          { title: 'Status', cell: ({ status }) => <JobStatus status={status} /> },
          { title: 'Requested', minor: true, numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
          { title: '', numeric: true, cell: (job) => <Button onClick={() => setShown(job)}>Receipt</Button> },
        ]}
      />
      <Dialog open={shown !== null} onOpenChange={(is) => !is && setShown(null)} title="Receipt">
        {shown && <Receipt job={shown} />}
      </Dialog>
    </Card>
  )
}
