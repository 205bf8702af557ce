/** The columns of a `RecordRow`, of a task `t` and its scope `s`. */
export const recordColumns: string = `t.task_id, s.tenant, s.subject, t.agent, t.context_id, t.created_in,
  t.state, t.status_at, t.sequence, t.bytes, t.epoch, t.node`;
