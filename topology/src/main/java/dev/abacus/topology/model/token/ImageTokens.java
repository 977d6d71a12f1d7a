package dev.abacus.topology.model.token;

import dev.abacus.schemas.document.Media;
import java.awt.Dimension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of images in high detail, as OpenAI's guide to images states them ("Calculating
 * costs"). Other providers differ, so for their models the numbers are estimates.
 */
sealed interface ImageTokens {

  /** The tokens of an image of this size in pixels. */
  long of(Dimension size);

  /** The most tokens that an image can have. */
  long largest();

  /** Characters of Base64 that contain the header of an image. */
  int HEADER = 1 << 19;

  Dimension TYPICAL = new Dimension(1024, 1024);

  /** The formula of a model. */
  static ImageTokens of(String model) {
    String name = model.substring(model.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    if (name.startsWith("gpt-4.1-mini") || name.startsWith("gpt-5-mini")) {
      return new Patches(1.62);
    }
    if (name.startsWith("gpt-4.1-nano") || name.startsWith("gpt-5-nano")) {
      return new Patches(2.46);
    }
    if (name.startsWith("o4-mini")) {
      return new Patches(1.72);
    }
    if (name.startsWith("gpt-4o-mini")) {
      return new Tiles(2833, 5667);
    }
    if (name.startsWith("gpt-5")) {
      return new Tiles(70, 140);
    }
    return name.matches("o[13](-.*)?") ? new Tiles(75, 150) : new Tiles(85, 170);
  }

  /** An image whose size is unknown: the tokens of 1024 × 1024 pixels, up to the largest image. */
  default TokenCount ofUnknownSize() {
    return new TokenCount(of(TYPICAL), of(new Dimension(1, 1)), largest());
  }

  /** An image that is sent with the request. */
  default TokenCount of(Media.Content image) {
    Dimension size = size(image.base64());
    return size == null ? ofUnknownSize() : TokenCount.exact(of(size));
  }

  /** The size of a PNG, JPEG, GIF or BMP image; null for other formats. */
  private static @Nullable Dimension size(String base64) {
    String header = base64.length() <= HEADER ? base64 : base64.substring(0, HEADER);
    try (ImageInputStream stream =
        ImageIO.createImageInputStream(
            new ByteArrayInputStream(Base64.getDecoder().decode(header)))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
      if (!readers.hasNext()) {
        return null;
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(stream, true, true);
        return new Dimension(reader.getWidth(0), reader.getHeight(0));
      } finally {
        reader.dispose();
      }
    } catch (IOException | RuntimeException e) {
      return null; // Not an image that this JDK reads; the endpoint decides.
    }
  }

  /**
   * Tiles of 512 × 512 pixels, after scaling down to 2048 × 2048 and to 768 pixels on the shorter
   * side.
   */
  record Tiles(int base, int perTile) implements ImageTokens {

    @Override
    public long of(Dimension size) {
      double scale = Math.min(1, 2048.0 / Math.max(size.width, size.height));
      scale *= Math.min(1, 768.0 / (scale * Math.min(size.width, size.height)));
      return base
          + perTile
              * (long) Math.ceil(size.width * scale / 512)
              * (long) Math.ceil(size.height * scale / 512);
    }

    @Override
    public long largest() {
      return of(new Dimension(2048, 768));
    }
  }

  /** Patches of 32 × 32 pixels, at most 1536, times a factor of the model. */
  record Patches(double factor) implements ImageTokens {

    private static final int MAX = 1536;

    @Override
    public long of(Dimension size) {
      long patches = (long) Math.ceil(size.width / 32.0) * (long) Math.ceil(size.height / 32.0);
      return (long) Math.ceil(Math.min(MAX, patches) * factor);
    }

    @Override
    public long largest() {
      return (long) Math.ceil(MAX * factor);
    }
  }
}
