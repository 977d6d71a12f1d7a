package dev.abacus.schemas.file;

import dev.abacus.schemas.document.Media;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The length of sounds, by their size and their first bytes. */
public final class Sound {

  /** Place of the bytes per second in a WAV file, when its format comes first, as it does. */
  private static final int WAV_RATE = 28;

  /** Bytes per second of an MP3 file of 128 kbit/s, the usual rate, if it states no other. */
  private static final int USUAL_RATE = 16_000;

  /** Rates of MPEG 1, layer III, in kbit/s, by the index in the header of a frame. */
  private static final int[] KILOBITS = {
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0
  };

  private Sound() {}

  /**
   * Seconds of a WAV or MP3 file. Exact for WAV without compression and for MP3 of a constant rate
   * without a tag, otherwise an estimate.
   */
  public static double seconds(Media.Content file) {
    byte[] start = file.start();
    int rate = 0;
    if ("audio/wav".equals(file.detectedType()) && start.length >= WAV_RATE + Integer.BYTES) {
      rate = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getInt(WAV_RATE);
    } else if (start.length > 2 && start[0] == (byte) 0xff && (start[1] & 0x18) == 0x18) {
      rate = KILOBITS[(start[2] & 0xf0) >> 4] * 125;
    }
    return (double) file.size() / (rate > 0 ? rate : USUAL_RATE);
  }
}
