//! A photograph is a list of rows. Return the brightest value in it, or 0 if there is no pixel at all.
//!
//! difficulty: 5
//! function: brightest_star
//! tests:
//! {"given": {"photo": [[1, 9], [4]]}, "good": [9], "bad": [4, 10, 1]}
use vstd::prelude::*;

verus! {

pub fn brightest_star(photo: &Vec<Vec<u8>>) -> (top: u8)
    ensures
        forall|r: int, c: int| 0 <= r < photo.len() && 0 <= c < photo[r].len() ==> #[trigger] photo[r][c] <= top,
        top > 0 ==> exists|r: int, c: int| 0 <= r < photo.len() && 0 <= c < photo[r].len() && #[trigger] photo[r][c] == top,
{
    let mut top: u8 = 0;
    let mut r: usize = 0;
    while r < photo.len()
        invariant
            r <= photo.len(),
            forall|a: int, c: int| 0 <= a < r && 0 <= c < photo[a].len() ==> #[trigger] photo[a][c] <= top,
            top > 0 ==> exists|a: int, c: int| 0 <= a < r && 0 <= c < photo[a].len() && #[trigger] photo[a][c] == top,
        decreases photo.len() - r,
    {
        let mut c: usize = 0;
        while c < photo[r].len()
            invariant
                r < photo.len(),
                c <= photo[r as int].len(),
                forall|a: int, b: int| 0 <= a < r && 0 <= b < photo[a].len() ==> #[trigger] photo[a][b] <= top,
                forall|b: int| 0 <= b < c ==> photo[r as int][b] <= top,
                top > 0 ==> exists|a: int, b: int|
                    0 <= a <= r && 0 <= b < photo[a].len() && #[trigger] photo[a][b] == top,
            decreases photo[r as int].len() - c,
        {
            if photo[r][c] > top {
                top = photo[r][c];
                assert(photo[r as int][c as int] == top);
            }
            c = c + 1;
        }
        r = r + 1;
    }
    top
}

} // verus!
