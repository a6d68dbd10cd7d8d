// SPDX-License-Identifier: Apache-2.0
// Pictures that are larger than an agent may be shown are made smaller: phones and large screens make them every day, and a model sees
// no more in them.

const LONGEST_SIDE = 2576; // models scale down what is larger
const QUALITIES = [0.9, 0.75, 0.5]; // of JPEG, until it fits

/** A smaller picture; the same one where it fits already. Nothing where it cannot be read: a model could not either. */
export async function shrink(picture: Blob, mostBytes: number): Promise<Blob | undefined> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(picture);
  } catch {
    return undefined;
  }
  if (picture.size <= mostBytes || picture.type === 'image/gif') return picture; // it may move
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return picture;
  context.fillStyle = '#fff'; // JPEG knows no transparency
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  for (const quality of QUALITIES) {
    const smaller = await new Promise<Blob | null>((done) => {
      canvas.toBlob(done, 'image/jpeg', quality);
    });
    if (smaller && smaller.size <= mostBytes) return smaller;
  }
  return picture;
}
