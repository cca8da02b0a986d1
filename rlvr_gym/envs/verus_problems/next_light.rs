//! A traffic light goes from red to green, from green to amber, from amber to red.
//!
//! difficulty: 1
//! function: next_light
//! tests:
//! {"given": {"light": "Red"}, "good": ["Green"], "bad": ["Amber", "Red"]}
//! {"given": {"light": "Amber"}, "good": ["Red"], "bad": ["Green"]}
use vstd::prelude::*;

verus! {

pub enum Light {
    Red,
    Green,
    Amber,
}

pub fn next_light(light: Light) -> (next: Light)
    ensures
        light is Red ==> next is Green,
        light is Green ==> next is Amber,
        light is Amber ==> next is Red,
{
    match light {
        Light::Red => Light::Green,
        Light::Green => Light::Amber,
        Light::Amber => Light::Red,
    }
}

} // verus!
