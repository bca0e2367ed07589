export function presentDeleted(object: string, id: string) {
  return { id, object, deleted: true };
}
