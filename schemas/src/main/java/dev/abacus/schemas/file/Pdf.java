package dev.abacus.schemas.file;

import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.text.PDFTextStripper;

/**
 * Reads PDFs with Apache PDFBox. Every method throws {@link InvalidDocumentException} if the PDF is
 * broken, encrypted with a password, or exceeds a limit.
 */
public final class Pdf {

  /** Pixels of the shorter side of a page as an image: what models look at in high detail. */
  public static final int SHORTER_SIDE = 1024;

  private static final int LONGER_SIDE = 4 * SHORTER_SIDE;
  private static final int MOST_PAGES_OF_TEXT = 2000;
  private static final int MOST_CHARACTERS = 20_000_000;

  /** PDFs that are read at the same time; each takes memory and a processor. */
  private static final Semaphore PLACES =
      new Semaphore(Runtime.getRuntime().availableProcessors(), true);

  static {
    // PDFBox keeps a list of the machine's fonts, by default in the home of the user.
    if (System.getProperty("pdfbox.fontcache") == null) {
      System.setProperty("pdfbox.fontcache", System.getProperty("java.io.tmpdir"));
    }
  }

  private Pdf() {}

  private interface Reading<T> {
    T of(PDDocument document) throws IOException, InvalidDocumentException;
  }

  /** The text of all pages in the order of the file; blank if pages are images of text. */
  static String text(byte[] pdf) throws InvalidDocumentException {
    return read(
        pdf,
        document -> {
          checkPages(document, MOST_PAGES_OF_TEXT);
          PDFTextStripper stripper = new PDFTextStripper();
          stripper.setLineSeparator("\n");
          stripper.setPageEnd("\n\n");
          StringBuilder text = new StringBuilder();
          stripper.writeText(document, bounded(text));
          return text.toString().strip();
        });
  }

  /** The number of pages. */
  public static int pages(byte[] pdf) throws InvalidDocumentException {
    return read(pdf, PDDocument::getNumberOfPages);
  }

  /**
   * Each page as a JPEG of {@link #SHORTER_SIDE} pixels on its shorter side.
   *
   * @param most of these pages; more are an error
   */
  public static List<Media.Content> images(byte[] pdf, int most) throws InvalidDocumentException {
    return read(
        pdf,
        document -> {
          checkPages(document, most);
          PageRenderer renderer = new PageRenderer(document);
          List<Media.Content> images = new ArrayList<>();
          for (int i = 0; i < document.getNumberOfPages(); i++) {
            float scale = scale(document.getPage(i).getCropBox());
            images.add(jpeg(renderer.renderImage(i, scale, ImageType.RGB)));
          }
          return images;
        });
  }

  private static <T> T read(byte[] pdf, Reading<T> reading) throws InvalidDocumentException {
    PLACES.acquireUninterruptibly();
    try {
      if (Inflation.isExcessive(pdf)) {
        throw new InvalidDocumentException(
            "the PDF holds a compressed stream of more than %d MB, or more than %d MB in all"
                .formatted(Inflation.MOST_BYTES >> 20, Inflation.MOST_BYTES_TOGETHER >> 20));
      }
      try (PDDocument document = Loader.loadPDF(pdf)) {
        return reading.of(document);
      }
    } catch (InvalidPasswordException e) {
      throw new InvalidDocumentException("the PDF is encrypted and needs a password", e);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new InvalidDocumentException("the PDF cannot be read: " + e.getMessage(), e);
    } finally {
      PLACES.release();
    }
  }

  private static void checkPages(PDDocument document, int most) throws InvalidDocumentException {
    if (document.getNumberOfPages() > most) {
      throw new InvalidDocumentException(
          "the PDF has %d pages, and at most %d are read"
              .formatted(document.getNumberOfPages(), most));
    }
  }

  private static float scale(PDRectangle page) {
    float shorter = Math.max(1, Math.min(page.getWidth(), page.getHeight()));
    float longer = Math.max(1, Math.max(page.getWidth(), page.getHeight()));
    return Math.min(SHORTER_SIDE / shorter, LONGER_SIDE / longer);
  }

  private static Media.Content jpeg(BufferedImage image) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "jpeg", bytes);
    return Media.Content.of("image/jpeg", bytes.toByteArray());
  }

  private static Writer bounded(StringBuilder text) {
    return new Writer() {
      @Override
      public void write(char[] characters, int from, int length) throws IOException {
        if (text.length() + length > MOST_CHARACTERS) {
          throw new IOException("more than " + MOST_CHARACTERS + " characters of text");
        }
        text.append(characters, from, length);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
